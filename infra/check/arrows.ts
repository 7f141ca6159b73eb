import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** The folders that the files of a folder may import. The longest prefix wins; a folder that is not named may not be imported. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  events: ["events", "events/nearest.ts"],
  examples: ["events", "shared/function", "shared/kube", "shared/ports", "examples"],
  shared: ["shared", "events"],
  "shared/kube": [
    "shared/kube",
    "shared/json",
    "shared/schema",
    "shared/errors.ts",
    "shared/node-http.ts",
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
    "shared/kube/cluster-names.ts",
    "shared/kube/resource-version.ts",
    "shared/kube/subject.ts",
  ],
  infra: ["infra", "shared", "events", "functions", "examples"],
  "infra/watcher": [
    "infra/watcher",
    "shared/kube",
    "shared/json",
    "shared/runner/watch-list.ts",
    "shared/bus/own-events.ts",
    "shared/schema",
    "shared/clock",
    "shared/log",
    "shared/errors.ts",
    "events",
    "shared/tls",
  ],
  test: ["test", "infra", "shared", "events", "functions", "examples", "index.ts"],
  "index.ts": ["events", "shared", "functions"],
};

/** The files that functions see, and that they decide with: none that reaches a file, a socket or the clock. */
const FUNCTION = [
  "events",
  "shared/function",
  "shared/kube/kinds",
  "shared/kube/schema",
  "shared/kube/health",
  ...[
    "conditions",
    "errors",
    "kind",
    "label-selector",
    "label-value",
    "object",
    "objects",
    "quantity",
    "read",
    "subdomain",
  ].map((name) => `shared/kube/${name}.ts`),
  "shared/ports",
  "shared/manifests",
  "shared/json",
  "shared/graph",
  "shared/templates",
  "shared/oci/settings.ts",
  "shared/tls/server-name.ts",
  "shared/tls/trust.ts",
  "shared/versions.ts",
  "shared/clock/time.ts",
  "shared/errors.ts",
];
/** Packages, and Node's own modules, that compute and do nothing else. */
const COMPUTING = [
  "zod",
  "yaml",
  "semver",
  "re2js",
  "@marcbachmann/cel-js",
  "node:crypto",
  "node:util",
  "node:zlib",
];
const CLIENT = "shared/kube/client.ts";

interface Role {
  /** The place of a file below its system's folder. */
  readonly place: RegExp;
  /** Folders and files beside its own system. */
  readonly sees: readonly string[];
  /** `any`: tests, and what reaches the real thing. */
  readonly packages: readonly string[] | "any";
  /** True where it may load the adapters of a port; else the port's contract alone. */
  readonly adapters?: boolean;
}
/** The files that hold adapters. */
const ADAPTERS = /(^|\/)ports\/[^/]+\/adapters\/|^functions\/[^/]+\/adapters\.ts$/;
/** The files that a file of a system may see, by its place in there; the first that matches counts. */
const ROLES: readonly Role[] = [
  // Whatever tests lean on: the kit, and what they cross.
  {
    place: /(^|\/)test-[^/]*\.ts$|\.test\.ts$|^test\//,
    sees: ["infra/testing", "shared", "events"],
    packages: "any",
    adapters: true,
  },
  {
    place: /^(ports\/|adapters\.ts$)/,
    sees: [
      ...FUNCTION,
      ...["shared/archive", "shared/clock", "shared/log", "shared/oci", "shared/requests", "shared/tls"],
    ],
    packages: "any",
    adapters: true,
  },
  {
    place: /^(commands\/|commands\.ts$)/,
    sees: [...FUNCTION, CLIENT, "shared/kube/validation", "shared/clock", "shared/text.ts"],
    packages: [...COMPUTING, "commander", "node:path"],
    adapters: true,
  },
  {
    place: /^(metrics|simulate)(\/|\.ts$)/,
    sees: [...FUNCTION, CLIENT, "shared/clock", "shared/log"],
    packages: COMPUTING,
  },
  { place: /(?:)/, sees: FUNCTION, packages: COMPUTING },
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
  if (system !== undefined) return roleOf(file, system)?.sees ?? [];
  const [best] = Object.keys(ARROWS)
    .filter((folder) => within(file, folder))
    .sort((a, b) => b.length - a.length);
  return best === undefined ? [] : (ARROWS[best] ?? []);
}

const roleOf = (file: string, system: string): Role | undefined => {
  const below = relative(join("functions", system), file);
  return ROLES.find(({ place }) => place.test(below));
};

/** The packages and modules of Node that a file imports. */
function packagesOf(file: string): readonly string[] {
  const text = readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  return [
    ...text.matchAll(/(?:^|\n)\s*(?:import|export)\b[^"';]*?from\s*"([^."][^"]*)"/g),
    ...text.matchAll(/\bimport\(\s*"([^."][^"]*)"\s*\)/g),
    ...text.matchAll(/(?:^|\n)\s*import\s*"([^."][^"]*)"/g),
  ].map(([, name = ""]) => name);
}

/** A function that opens a file or a socket by itself would hold what no event tells of. */
function packageFaults(file: string): readonly string[] {
  const system = systemOf(file);
  const allowed = system === undefined ? "any" : (roleOf(file, system)?.packages ?? []);
  if (allowed === "any") return [];
  return packagesOf(file)
    .filter((name) => !allowed.some((one) => within(name, one)))
    .map((name) => `${file} imports ${name}, which a file of its role may not`);
}

/** Folders next to each other that need each other, directly or by others: neither can be understood alone. */
function folderCircles(base: string, imports: readonly Import[]): readonly string[] {
  const folderIn = (file: string): string | undefined => {
    if (!within(file, base) || isTest(file)) return undefined;
    const [first, ...rest] = relative(base, file).split("/");
    return rest.length === 0 || first === "test" ? undefined : first;
  };
  const edges = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [one, other] = [folderIn(from), folderIn(to)];
    if (one === undefined || other === undefined || one === other) continue;
    edges.set(one, (edges.get(one) ?? new Set()).add(other));
  }
  const reached = (from: string): ReadonlySet<string> => {
    const seen = new Set<string>();
    const visit = (folder: string): void => {
      for (const next of edges.get(folder) ?? [])
        if (!seen.has(next)) {
          seen.add(next);
          visit(next);
        }
    };
    visit(from);
    return seen;
  };
  return [...edges.keys()]
    .filter((folder) => reached(folder).has(folder))
    .map((folder) => `${base}/${folder} lies in a circle of folders`);
}

/** A folder and all that lie in it, to the lowest. */
const foldersOf = (base: string): readonly string[] => [
  base,
  ...globSync("**/*/", { cwd: join(root, base) }).map((folder) => join(base, folder)),
];

/** A function's system may import itself and no other. */
function systemOf(file: string): string | undefined {
  const [top, system] = file.split("/");
  return top === "functions" ? system : undefined;
}

function faultOf({ from, to }: Import): string | undefined {
  if (!existsSync(join(root, to))) return `${from} imports ${to}, which does not exist`;
  const mine = systemOf(from);
  const theirs = systemOf(to);
  if (mine !== undefined && ADAPTERS.test(to) && roleOf(from, mine)?.adapters !== true)
    return `${from} imports ${to}: what stands behind a port is bound in adapters.ts, and loaded where functions run`;
  if (mine !== undefined && theirs !== undefined)
    return mine === theirs ? undefined : `${from} imports ${to}: a system never imports another`;
  // Tests beside the code may lean on the kit and on what they cross.
  if (isTest(from) && (within(to, "infra/testing") || within(to, "test") || within(to, "shared")))
    return undefined;
  return ruleFor(from).some((allowed) => within(to, allowed))
    ? undefined
    : `${from} imports ${to}, which lies outside its arrows`;
}

const matching = (patterns: readonly string[]): ReadonlySet<string> =>
  new Set(globSync(patterns, { cwd: root }));

/** The imports by which the package would carry what it leaves out: the compiler takes in all that a file imports. */
function carriedByImports(imports: readonly Import[]): readonly string[] {
  const { include, exclude } = JSON.parse(readFileSync(join(root, "tsconfig.build.json"), "utf8")) as {
    readonly include: readonly string[];
    readonly exclude: readonly string[];
  };
  const below = (place: string): string => (place.endsWith(".ts") ? place : `${place}/**/*.ts`);
  const out = matching(exclude.map(below));
  const packaged = matching(include.map(below));
  return imports
    .filter(({ from, to }) => packaged.has(from) && !out.has(from) && out.has(to))
    .map(({ from, to }) => `${from} imports ${to}, which the package leaves out`);
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
  ...carriedByImports(imports),
  ...circles(imports).map((circle) => `a circle: ${circle.join(" → ")}`),
  ...files.flatMap(packageFaults),
  ...[...new Set(files.flatMap((file) => systemOf(file) ?? [])), undefined].flatMap((system) =>
    system === undefined
      ? ["shared", "infra"].flatMap((base) => folderCircles(base, imports))
      : foldersOf(join("functions", system)).flatMap((base) => folderCircles(base, imports)),
  ),
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
