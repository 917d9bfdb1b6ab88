"""What people see of a ledger: tables, accounts, pictures.  Reports read a ledger and a bound, they never learn."""
