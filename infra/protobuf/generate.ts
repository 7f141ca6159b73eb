import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Writes `infra/local/faces/protobuf/messages/` from the Go modules of the Kubernetes API, which need not be there
 * otherwise:
 *
 *     go mod download k8s.io/api@v0.37.0 k8s.io/apimachinery@v0.37.0 k8s.io/apiextensions-apiserver@v0.37.0
 *     node infra/protobuf/generate.ts "$(go env GOMODCACHE)/k8s.io" v0.37.0
 *
 * Types and numbers are in each package's `generated.proto`; how a field is called in JSON, and whether its zero is left
 * out there, only in the tags of the Go structs.
 */
const [modules, version = ""] = process.argv.slice(2);
if (modules === undefined || !existsSync(join(modules, `api@${version}`)))
  throw new TypeError(`name the folder that holds api@VERSION, and the version: not ${modules} ${version}`);

const target = join(import.meta.dirname, "../local/faces/protobuf/messages");
/** Protobuf package → folder of its sources. */
const packages = new Map<string, string>([
  ["k8s.io.apimachinery.pkg.apis.meta.v1", `apimachinery@${version}/pkg/apis/meta/v1`],
  [
    "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1",
    `apiextensions-apiserver@${version}/pkg/apis/apiextensions/v1`,
  ],
  ...[
    ...["admissionregistration/v1", "apps/v1", "authentication/v1", "authorization/v1", "autoscaling/v1"],
    ...["autoscaling/v2", "batch/v1", "coordination/v1", "core/v1", "discovery/v1", "events/v1"],
    ...["networking/v1", "policy/v1", "rbac/v1", "scheduling/v1", "storage/v1"],
  ].map((path): [string, string] => [`k8s.io.api.${path.replace("/", ".")}`, `api@${version}/${path}`]),
]);
/** `k8s.io.api.core.v1` → `core.v1`: no two end alike. */
const short = (name: string): string => name.split(".").slice(-2).join(".");

const SCALARS: Readonly<Record<string, string>> = {
  string: "s",
  bytes: "x",
  bool: "b",
  double: "d",
  int32: "i",
  int64: "i",
  uint32: "i",
};

/** Messages of other packages, which `well-known.ts` reads. */
const READ_BY_HAND = new Set(["IntOrString", "Quantity", "RawExtension"]);

interface Tagged {
  /** Empty: the fields stand beside those of their holder. */
  readonly json: string;
  readonly zeroLeftOut: boolean;
}

/** `Struct/number` → what the Go tags say. */
function tagsOf(folder: string): Map<string, Tagged> {
  const tags = new Map<string, Tagged>();
  const sources = readdirSync(folder).filter(
    (file) => /^[a-z_]+\.go$/.test(file) && !/_test|generated/.test(file),
  );
  for (const file of sources) {
    const source = readFileSync(join(folder, file), "utf8");
    for (const [, struct, body = ""] of source.matchAll(/^type (\w+) struct \{\n([\s\S]*?)^\}/gm))
      for (const [, type = "", json = "", number] of body.matchAll(
        /^\s+(?:\w+\s+)?([^\s`/]+)\s+`json:"([^"]*)"[^`]*?protobuf:"\w+,(\d+)/gm,
      )) {
        const [name = "", ...words] = json.split(",");
        tags.set(`${struct}/${number}`, {
          json: name,
          zeroLeftOut: words.includes("omitempty") && !type.startsWith("*"),
        });
      }
  }
  return tags;
}

const FIELD = /^\s*(optional|repeated|map<string, *([\w.]+)>) *([\w.]*) +(\w+) = (\d+);/gm;

/** One line a message: `Container name=1s image=2s? ports=6[ContainerPort]`. */
function linesOf(name: string, folder: string): string[] {
  const tags = tagsOf(folder);
  const proto = readFileSync(join(folder, "generated.proto"), "utf8").replace(/\/\/.*$/gm, "");
  /** Undefined for what comes from a package that is not read here: such a field is dropped. */
  const typeOf = (word: string): string | undefined => {
    const scalar = SCALARS[word];
    if (scalar !== undefined) return scalar;
    const parts = word.replace(/^\./, "").split(".");
    const home = parts.slice(0, -1).join(".");
    const type = parts.at(-1) ?? "";
    if (home === "" || home === name || READ_BY_HAND.has(type)) return `.${type}`;
    return packages.has(home) ? `.${short(home)}.${type}` : undefined;
  };
  return [...proto.matchAll(/^message (\w+) \{\n([\s\S]*?)^\}/gm)].map(([, message = "", body = ""]) =>
    [
      message,
      ...[...body.matchAll(FIELD)].flatMap(([, label, valueType, word = "", field = "", number = ""]) => {
        const tag = tags.get(`${message}/${number}`);
        const start = `${tag?.json ?? field}=${number}`;
        const type = typeOf(valueType ?? word);
        if (type === undefined) return [];
        if (valueType !== undefined) return [`${start}{${type}}`];
        if (label === "repeated") return [`${start}[${type}]`];
        return [start + type + (tag?.zeroLeftOut === true && SCALARS[word] !== undefined ? "?" : "")];
      }),
    ].join(" "),
  );
}

/** Lists come in answers only; of meta/v1 no object asks for the rest. */
const isWanted = (line: string): boolean => !/^\w*List /.test(line) || line.startsWith("List ");

for (const [name, folder] of packages) {
  const lines = linesOf(name, join(modules, folder)).filter(isWanted);
  const [group = "", apiVersion = ""] = short(name).split(".");
  const constant = group + apiVersion.toUpperCase();
  writeFileSync(
    join(target, `${group}-${apiVersion}.ts`),
    `// Written by infra/protobuf/generate.ts from ${folder} (The Kubernetes Authors, Apache-2.0): not by hand.
/** The messages of ${short(name)}: see \`../table.ts\` for how a line is read. */
export const ${constant} = \`
${lines.join("\n")}
\`;
`,
  );
}
