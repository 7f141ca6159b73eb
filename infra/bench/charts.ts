import type { Bar, Figure } from "./measure.ts";
import { short } from "./numbers.ts";

/** The charts that figures are drawn in, with their titles. */
const CHARTS: Readonly<Record<Bar["chart"], string>> = {
  ratios: "Against the bare loop on the same server (bare = 1; mark: budget)",
  cpu: "CPU seconds for 1,000 changes (grey: bare loop; mark: budget)",
};
const WIDTH = 750;
const LEFT = 300;
const RIGHT = 80;
const ROW = 40;
const TOP = 52;
const INK = "#1d2b3a";
const KEPT = "#2f5d8a";
const MISSED = "#b5482f";
const BARE = "#a9b4c0";

/** The charts of some figures as SVG, by the name of the file that each belongs into. A chart without bars is left out. */
export function charts(figures: readonly Figure[]): ReadonlyMap<string, string> {
  const drawn = new Map<string, string>();
  for (const [chart, title] of Object.entries(CHARTS)) {
    const rows = figures.flatMap(({ bar, ok }) => (bar?.chart === chart ? [{ ...bar, ok }] : []));
    if (rows.length > 0) drawn.set(`bench-${chart}.svg`, svg(title, rows));
  }
  return drawn;
}

function svg(title: string, rows: readonly (Bar & { readonly ok: boolean })[]): string {
  const most = Math.max(...rows.flatMap(({ own, bare = 0, budget = 0 }) => [own, bare, budget]));
  const long = (value: number): string => ((value / most) * (WIDTH - LEFT - RIGHT)).toFixed(1);
  const at = (value: number): string => (LEFT + Number(long(value))).toFixed(1);
  const height = TOP + rows.length * ROW + 8;
  const body = rows.flatMap(({ label, own, bare, budget, ok }, index) => {
    const y = TOP + index * ROW;
    const thick = bare === undefined ? 24 : 14;
    return [
      `<text x="${LEFT - 10}" y="${y + 17}" font-size="13" text-anchor="end">${escaped(label)}</text>`,
      `<rect x="${LEFT}" y="${y}" width="${long(own)}" height="${thick}" fill="${ok ? KEPT : MISSED}"/>`,
      ...(bare === undefined
        ? []
        : [`<rect x="${LEFT}" y="${y + thick}" width="${long(bare)}" height="10" fill="${BARE}"/>`]),
      ...(budget === undefined
        ? []
        : [
            `<path d="M${at(budget)} ${y - 4} V${y + 28}" fill="none" stroke="${INK}" stroke-width="2" stroke-dasharray="4 3"/>`,
          ]),
      `<text x="${(Number(at(Math.max(own, bare ?? 0, budget ?? 0))) + 8).toFixed(1)}" y="${y + 17}" font-size="13">${short(own)}</text>`,
    ];
  });
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title" font-family="system-ui, sans-serif" fill="${INK}">`,
    `<title id="title">${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    `<text x="20" y="28" font-size="15" font-weight="600">${escaped(title)}</text>`,
    ...body,
    "</svg>",
  ].join("\n")}\n`;
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
