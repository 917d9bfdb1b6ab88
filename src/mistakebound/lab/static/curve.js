// Curves against trials, drawn by uPlot, in the colours of the theme; as SVG for export.

import Plot from "./vendor/uplot.js";
import { colour, h } from "./ui.js";

/** lines: [{ label, values, colour, dash, stepped }]; the first value is at `from`, the others `every` so many. */
export function curve(place, { lines, from = 1, words, height = 220, across = "trials", up = "mistakes", low: floor = 0, every = 1 }) {
  const box = h("div", { class: "chart", role: "img", "aria-label": words });
  place.append(box);
  let plot = null;
  const data = () => {
    const longest = Math.max(1, ...lines.map((line) => line.values.length));
    return [Array.from({ length: longest }, (_, i) => (i + from) * every), ...lines.map((line) => Array.from({ length: longest }, (_, i) => line.values[i] ?? null))];
  };
  const axis = (label) => ({ label, stroke: () => colour("soft"), grid: { stroke: () => colour("line"), width: 1 }, ticks: { stroke: () => colour("line") }, labelSize: 20, size: label === up ? 46 : 34, font: "12px system-ui", labelFont: "12px system-ui" });
  const draw = () => {
    plot?.destroy();
    if (!box.clientWidth) return;
    plot = new Plot({
      width: box.clientWidth, height, cursor: { show: false }, legend: { show: false },
      scales: { x: { time: false }, y: { range: (_, low, high) => [floor, Math.max(floor + 1e-6, floor ? 1.02 : (high ?? 1) * 1.08 || 1)] } },
      axes: [axis(across), axis(up)],
      series: [{}, ...lines.map((line) => ({
        label: line.label, stroke: () => colour(line.colour), width: 2.4, dash: line.dash ? [7, 5] : undefined, points: { show: false }, spanGaps: true,
        paths: line.stepped ? Plot.paths.stepped({ align: 1 }) : undefined,
      }))],
    }, data(), box);
  };
  draw();
  const resized = new ResizeObserver(() => { if (plot && Math.abs(plot.width - box.clientWidth) > 2) draw(); else if (!plot) draw(); });
  resized.observe(box);
  addEventListener("themechange", draw);
  return {
    update() { plot?.setData(data()); },
    svg: () => asSvg(lines, from, every),
    close() { resized.disconnect(); removeEventListener("themechange", draw); plot?.destroy(); },
  };
}

function asSvg(lines, from, every) {
  const [width, tall, edge] = [640, 320, 44];
  const longest = Math.max(2, ...lines.map((line) => line.values.length));
  const top = Math.max(1, ...lines.flatMap((line) => line.values.filter((value) => value !== null))) * 1.08;
  const x = (i) => (edge + ((width - edge - 12) * i) / (longest - 1)).toFixed(1);
  const y = (value) => (tall - edge + 12 - ((tall - edge - 4) * value) / top).toFixed(1);
  const paths = lines.map((line) => {
    const points = line.values.flatMap((value, i) => (value === null || value === undefined ? [] : [`${x(i)},${y(value)}`]));
    return `<polyline fill="none" stroke="${colour(line.colour)}" stroke-width="2"${line.dash ? ' stroke-dasharray="7 5"' : ""} points="${points.join(" ")}"/>`;
  });
  const names = lines.map((line, i) => `<text x="${edge + 8}" y="${18 + 16 * i}" fill="${colour(line.colour)}" font-family="sans-serif" font-size="13">${line.label.replace(/[&<>]/g, "")}</text>`);
  const ends = `<g font-family="sans-serif" font-size="12" fill="#555"><text x="${edge}" y="${tall - 12}">${from * every}</text><text x="${width - 40}" y="${tall - 12}">${(longest + from - 1) * every}</text><text x="6" y="${y(0)}">0</text><text x="6" y="16">${Math.round(top)}</text></g>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${tall}" width="${width}" height="${tall}">${paths.join("")}${names.join("")}${ends}</svg>`;
}
