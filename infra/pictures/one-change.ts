/** A box of the picture: where it lies, in pixels, and what stands in it. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly title: string;
  readonly lines: readonly string[];
}
/** An arrow between two boxes, with what travels along it. */
interface Arrow {
  readonly path: string;
  readonly at: readonly [x: number, y: number];
  readonly says: string;
}

const HEIGHT = 84;
const BOXES: readonly Box[] = [
  { x: 20, y: 40, width: 170, title: "API server", lines: ["objects, the only truth"] },
  { x: 290, y: 40, width: 170, title: "watcher", lines: ["lists and watches,", "keeps what it has told"] },
  { x: 560, y: 40, width: 170, title: "bus", lines: ["embedded, NATS or SQS:", "one item a key waits"] },
  { x: 560, y: 210, width: 170, title: "function", lines: ["sleeps until then; reads,", "decides, writes"] },
];
const ARROWS: readonly Arrow[] = [
  { path: "M190 82 H284", at: [238, 72], says: "update" },
  { path: "M460 82 H554", at: [508, 72], says: "event" },
  { path: "M645 124 V204", at: [678, 168], says: "wakes" },
  { path: "M560 252 H105 V130", at: [330, 242], says: "reads what is true, writes objects and a status" },
];

const text = (x: number, y: number, size: number, words: string, more = ""): string =>
  `<text x="${x}" y="${y}" font-size="${size}" text-anchor="middle"${more}>${words}</text>`;

const boxOf = ({ x, y, width, title, lines }: Box): string =>
  [
    `<rect x="${x}" y="${y}" width="${width}" height="${HEIGHT}" rx="8" fill="#eef4fb" stroke="#2f5d8a" stroke-width="1.5"/>`,
    text(x + width / 2, y + 28, 16, title, ' font-weight="600"'),
    ...lines.map((line, index) => text(x + width / 2, y + 50 + index * 17, 12, line)),
  ].join("\n");

const arrowOf = ({ path, at: [x, y], says }: Arrow): string =>
  [
    `<path d="${path}" fill="none" stroke="#2f5d8a" stroke-width="1.5" marker-end="url(#head)"/>`,
    text(x, y, 12, says),
  ].join("\n");

/** The way of one change, as SVG: from the API server by watcher and bus to a function, and back. */
export const oneChange =
  (): string => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 750 320" role="img" aria-labelledby="title" font-family="system-ui, sans-serif" fill="#1d2b3a">
<title id="title">An update of the API server becomes an event of the watcher; the bus wakes a function, which reads what is true and writes objects and a status.</title>
<defs><marker id="head" markerWidth="9" markerHeight="9" refX="7" refY="4" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#2f5d8a"/></marker></defs>
<rect width="750" height="320" fill="#ffffff"/>
${BOXES.map(boxOf).join("\n")}
${ARROWS.map(arrowOf).join("\n")}
</svg>
`;
