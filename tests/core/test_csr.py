"""SciPy matrices on their way in: the same numbers whatever their form, and none that lies out of range."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import mistakebound as mb
from mistakebound.core.csr import as_csr, checked_csr, dense_rows, row_ends, sparse_row
from mistakebound.core.errors import BadData

FORMS = ("csr", "csc", "coo", "bsr", "lil", "dia", "dok")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(4))
def test_dense_rows_are_those_of_scipy(form: str, seed: int) -> None:
    X = sparse.random(6, 4, 0.4, random_state=seed).asformat(form)
    assert (dense_rows(X) == X.toarray()).all()
    assert (sparse_row(X, 3) == X.toarray()[3]).all()
    assert (dense_rows(sparse.csr_array(X)) == X.toarray()).all()


def test_entries_that_stand_twice_are_added_and_may_stand_in_any_order() -> None:
    X = sparse.csr_matrix(([1, 2, 4, 8], [1, 1, 2, 0], [0, 2, 4]), shape=(2, 3))
    assert dense_rows(X).tolist() == [[0, 3, 0], [8, 0, 4]]
    assert sparse_row(X, 0).tolist() == [0, 3, 0]


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
def test_matrices_without_entries(shape: tuple[int, int]) -> None:
    assert dense_rows(sparse.csr_matrix(shape)).shape == shape


def test_rows_that_begin_behind_other_entries() -> None:
    X = sparse.csr_matrix(np.array([[1.0, 0.0], [0.0, 2.0]]))
    part = sparse.csr_matrix((1, 2))
    part.indptr, part.indices, part.data = X.indptr[1:], X.indices, X.data
    assert dense_rows(part).tolist() == [[0.0, 2.0]]


def test_the_row_of_a_column_out_of_range() -> None:
    X = sparse.csr_matrix(np.eye(3))
    X.indices[1] = 7
    assert as_csr(X) is X  # whoever goes through the columns looks at them
    assert row_ends(X).tolist() == [0, 1, 2, 3]
    for use in (checked_csr, dense_rows, lambda X: mb.learners.Network([3, 2, 1]).fit(X, [0, 1, 0])):
        with pytest.raises(BadData, match="row 1: a column number is not within the 3 columns of X"):
            use(X)


@pytest.mark.parametrize("form", ["csc", "coo", "bsr"])
def test_a_row_out_of_range_is_found_before_scipy_writes_there(form: str) -> None:
    X = sparse.csr_matrix(np.eye(4)).asformat(form)
    (X.row if form == "coo" else X.indices)[0] = 1 << 28
    with pytest.raises(BadData, match=f"X is not a {form.upper()} matrix: a number among its indices"):
        checked_csr(X)


def test_a_table_learner_says_what_to_do_with_a_sparse_matrix() -> None:
    with pytest.raises(mb.BadParameter, match=r"a dense array, not a sparse matrix: csr_matrix; X.toarray\(\)"):
        mb.DecisionTree().fit(sparse.csr_matrix(np.eye(3)), [0, 1, 0])


def test_the_first_number_that_is_not_within_the_matrix_is_refused() -> None:
    X = sparse.csr_matrix(np.eye(3))
    X.indices[1] = 3  # one beyond the last column: dense, it would be the first of the next row
    with pytest.raises(BadData, match="not within the 3 columns"):
        dense_rows(X)
    X = sparse.csr_matrix(np.eye(3))
    X.indptr[-1] = 4  # one entry more than there are
    with pytest.raises(BadData, match="indptr"):
        row_ends(X)
