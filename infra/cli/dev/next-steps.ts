import type { FunctionDeclaration } from "../../../shared/function/declaration.ts";
import type { Kind } from "../../../shared/kube/kind.ts";
import type { Try } from "../../systems/samples.ts";
import type { Paint } from "../style.ts";
import type { KindTable } from "../timeline/tables.ts";
import type { Api } from "./api.ts";

/** The commands to type next, made of what is there now. */
export function nextSteps(
  api: Api,
  tables: readonly KindTable[],
  kinds: readonly Kind[],
  options: {
    readonly data: string;
    readonly paint: Paint;
    readonly tries: readonly Try[];
    readonly functions: readonly FunctionDeclaration[];
  },
): string {
  // What a function owns wakes it; what it merely writes comes back in its own time.
  const parents = options.functions
    .filter(({ owns }) => owns.some(({ kind }) => kind === "Deployment"))
    .map(({ name }) => `reveille-${name}`);
  const data = options.data === ".reveille" ? "" : ` --data ${options.data}`;
  const line = (what: string, how: string): string => `  ${options.paint("dim", `# ${what}`)}\n  ${how}`;
  const lines: string[] = [];
  if (api.kind !== "kubeconfig")
    lines.push(line("Point kubectl at it", `export KUBECONFIG=${api.kubeconfig}`));
  const own = tables.filter(({ kind }) => !kind.external);
  const short = own.map(({ kind }) => kind.shortNames[0] ?? kind.plural);
  if (short.length > 0) lines.push(line("See what is there", `kubectl get ${short.join(",")} -A`));
  const [empty] = kinds.filter(({ external }) => !external);
  if (own.length === 0 && empty !== undefined)
    lines.push(
      line("There is no object yet: see what one is made of", `kubectl explain ${empty.singular}.spec`),
    );
  const last = own.at(-1);
  const row = last?.rows[0];
  if (last !== undefined && row !== undefined) {
    const where = row.namespace === undefined ? "" : ` -n ${row.namespace}`;
    const object = `${last.kind.singular} ${row.name}${where}`;
    if (options.tries.length === 0)
      lines.push(line("Change something, and see who wakes", `kubectl edit ${object}`));
    lines.push(
      line("See what became of it", `kubectl describe ${object}`),
      line("Why is it as it is?", `npx reveille why ${last.kind.kind}/${row.name}${where}${data}`),
    );
  }
  for (const { what, how } of options.tries)
    lines.push([line(what, how[0] ?? ""), ...how.slice(1).map((more) => `  ${more}`)].join("\n"));
  const workload = tables.find(({ kind }) => kind.kind === "Deployment");
  const child = workload?.rows.find(({ managers }) => managers.some((manager) => parents.includes(manager)));
  if (child !== undefined)
    lines.push(
      line(
        "Take away a child: it comes back",
        `kubectl delete deployment ${child.name} -n ${child.namespace}`,
      ),
    );
  lines.push(line("What waits, runs or failed", `npx reveille status${data}`));
  return `Try next (in another terminal):\n${lines.join("\n")}`;
}
