import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** From where to where imports may go. Longest prefix wins; what is not named may not be imported. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  events: ["events", "shared/nearest.ts"],
  examples: ["events", "shared/function", "shared/kube", "shared/ports", "examples"],
  shared: ["shared", "events"],
  "shared/kube": [
    "shared/kube",
    "shared/json",
    "shared/schema",
    "shared/errors.ts",
    "shared/clock",
    "shared/log",
  ],
  "shared/bus": [
    "shared/bus",
    "shared/json",
    "shared/schema",
    "shared/errors.ts",
    "shared/clock",
    "shared/log",
    "events",
  ],
  infra: ["infra", "shared", "events", "functions", "examples"],
  "infra/watcher": [
    "infra/watcher",
    "shared/kube",
    "shared/json",
    "shared/runner/watch-list.ts",
    "shared/clock",
    "shared/log",
    "shared/errors.ts",
    "events",
    "shared/tls",
  ],
  test: ["test", "infra", "shared", "events", "functions", "examples", "index.ts"],
  "index.ts": ["events", "shared", "functions"],
};

/** What functions see, and what they decide with. */
const FUNCTION = [
  "events",
  "shared/function",
  "shared/kube",
  "shared/ports",
  "shared/manifests",
  "shared/json",
  "shared/graph",
  "shared/versions.ts",
  "shared/clock/time.ts",
  "shared/errors.ts",
];
/** What a file of a system may see beside its own system, by its place in there; the first that matches counts. */
const ROLES: readonly (readonly [RegExp, readonly string[]])[] = [
  // Whatever tests lean on: the kit, and what they cross.
  [/\.test\.ts$|^test\//, ["infra/testing", "shared", "events"]],
  [/^(ports\/|adapters\.ts$)/, [...FUNCTION, "shared/clock", "shared/log", "shared/requests", "shared/tls"]],
  [/^(commands\/|commands\.ts$)/, [...FUNCTION, "shared/clock", "shared/text.ts"]],
  [/^(metrics|simulate)(\/|\.ts$)/, [...FUNCTION, "shared/clock", "shared/log"]],
  [/(?:)/, FUNCTION],
];

interface Import {
  readonly from: string;
  readonly to: string;
}

const root = join(import.meta.dirname, "../..");

/** All relative imports of the sources, type-only ones included; their files relative to the root. */
function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  const found = [
    ...text.matchAll(/(?:^|\n)\s*(?:import|export)\b[^"';]*?from\s*"(\.[^"]+)"/g),
    ...text.matchAll(/\bimport\(\s*"(\.[^"]+)"\s*\)/g),
    ...text.matchAll(/(?:^|\n)\s*import\s*"(\.[^"]+)"/g),
  ];
  return found.map((match) => ({
    from: file,
    to: relative(root, join(root, dirname(file), match[1] ?? "")),
  }));
}

const isTest = (file: string): boolean => /\.test\.ts$/.test(file);
const within = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

function ruleFor(file: string): readonly string[] {
  const system = systemOf(file);
  if (system !== undefined) {
    const place = relative(join("functions", system), file);
    return ROLES.find(([pattern]) => pattern.test(place))?.[1] ?? [];
  }
  const [best] = Object.keys(ARROWS)
    .filter((folder) => within(file, folder))
    .sort((a, b) => b.length - a.length);
  return best === undefined ? [] : (ARROWS[best] ?? []);
}

/** A function's system may import itself and no other. */
function systemOf(file: string): string | undefined {
  const [top, system] = file.split("/");
  return top === "functions" ? system : undefined;
}

function faultOf({ from, to }: Import): string | undefined {
  if (!existsSync(join(root, to))) return `${from} imports ${to}, which does not exist`;
  const mine = systemOf(from);
  const theirs = systemOf(to);
  if (mine !== undefined && theirs !== undefined)
    return mine === theirs ? undefined : `${from} imports ${to}: a system never imports another`;
  // Tests beside the code may lean on the kit and on what they cross.
  if (isTest(from) && (within(to, "infra/testing") || within(to, "test") || within(to, "shared")))
    return undefined;
  return ruleFor(from).some((allowed) => within(to, allowed))
    ? undefined
    : `${from} imports ${to}, which lies outside its arrows`;
}

/** Every circle of imports, as the files along it. Type-only imports count: a circle of types is a room too many. */
function circles(imports: readonly Import[]): string[][] {
  const next = Map.groupBy(imports, ({ from }) => from);
  const state = new Map<string, "open" | "done">();
  const found: string[][] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (state.get(file) === "done") return;
    if (state.get(file) === "open") {
      found.push([...path.slice(path.indexOf(file)), file]);
      return;
    }
    state.set(file, "open");
    for (const { to } of next.get(file) ?? []) visit(to, [...path, file]);
    state.set(file, "done");
  };
  for (const file of next.keys()) visit(file, []);
  return found;
}

const files = globSync(["{events,functions,shared,infra,examples,test}/**/*.ts", "index.ts"], {
  cwd: root,
}).filter((file) => !file.startsWith("test/mistakes/"));
const imports = files.flatMap(importsOf);
const faults = [
  ...imports.flatMap((one) => faultOf(one) ?? []),
  ...circles(imports).map((circle) => `a circle: ${circle.join(" → ")}`),
];
/** A test may be longer: it is a list of cases. */
const mostLines = (file: string): number => (isTest(file) ? 600 : 450);
const long = files.flatMap((file) => {
  const lines = readFileSync(join(root, file), "utf8").trimEnd().split("\n").length;
  return lines > mostLines(file) && !/^functions\/[^/]+\/test\//.test(file)
    ? [`${file} has ${lines} lines, ${mostLines(file)} at most`]
    : [];
});
for (const fault of [...faults, ...long]) process.stderr.write(`${fault}\n`);
process.stdout.write(
  `${files.length} files, ${imports.length} imports, ${faults.length + long.length} faults\n`,
);
process.exitCode = faults.length + long.length === 0 ? 0 : 1;
