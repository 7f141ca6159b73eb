import { CliError } from "../../../shared/function/command-errors.ts";
import {
  invalidPackage,
  OPERATOR_FILE,
  type PackageFiles,
  type PackageObjects,
  packageObjects,
  readPackage,
} from "../decide/package/index.ts";
import type { PackageSource, Packages } from "../ports/packages/index.ts";

/** A package with the packages of its children, each once, those without children first. */
export interface Resolved {
  readonly files: PackageFiles;
  readonly objects: PackageObjects;
  /** Operator and OperatorVersion of each child, and of theirs. */
  readonly children: readonly PackageObjects[];
}

/** A task names a package by a path or a URL; anything else is the name of an operator that the cluster has. */
const isPlace = (text: string): boolean => /^\.{1,2}(\/|$)|\/|\.tgz$/.test(text);

/**
 * Reads a package and those of the children that its tasks name. The tasks then name what the children's packages say: operator and versions.
 * @throws PackageError; a `CliError` where they go round in a circle
 */
export async function resolvePackage(place: string, packages: Packages): Promise<Resolved> {
  const known = new Map<string, PackageObjects>();
  const visit = async (
    source: PackageSource,
    above: readonly string[],
  ): Promise<{ readonly files: PackageFiles; readonly objects: PackageObjects }> => {
    const files = readPackage(source.files);
    const own = packageObjects(files);
    const name = own.operatorVersion.metadata.name;
    if (above.includes(name))
      throw new CliError(
        "CLI_KUDO_CIRCLE",
        `cyclic package dependency found when adding package ${[...above.slice(above.indexOf(name)), name].join(" -> ")}: a package cannot be its own child.`,
      );
    const tasks = [];
    for (const task of files.operator.tasks) {
      const wanted = task.spec?.package ?? "";
      if (task.kind !== "KudoOperator" || wanted === "") tasks.push(task);
      else if (isPlace(wanted)) {
        const child = await visit(await source.child(wanted), [...above, name]);
        const { operator } = child.files;
        known.set(child.objects.operatorVersion.metadata.name, child.objects);
        tasks.push({
          ...task,
          spec: {
            ...task.spec,
            package: operator.name,
            operatorVersion: operator.operatorVersion,
            ...(operator.appVersion !== "" && { appVersion: operator.appVersion }),
          },
        });
      } else if ((task.spec?.operatorVersion ?? "") === "")
        throw invalidPackage([
          {
            file: OPERATOR_FILE,
            message: `task ${task.name ?? ""} names the operator ${wanted} without its operatorVersion: add it, or name the folder of its package`,
          },
        ]);
      else tasks.push(task);
    }
    const { operatorVersion } = own;
    return {
      files,
      objects: { ...own, operatorVersion: { ...operatorVersion, spec: { ...operatorVersion.spec, tasks } } },
    };
  };
  const root = await visit(await packages.open(place), []);
  return { ...root, children: [...known.values()] };
}
