import * as z from "zod";
import { ReveilleError } from "../errors.ts";
import { COMMANDS } from "./commands.ts";
import type { FunctionDeclaration } from "./declaration.ts";

/** The kinds, functions and configuration of one operator. */
export interface System {
  readonly name: string;
  readonly description: string;
  readonly functions: readonly FunctionDeclaration[];
  /** The configuration's schema; read from a file or the environment. */
  readonly config: z.ZodType;
  /** How to see that the operator that this system succeeds still runs: its Deployments carry one of these label selectors. */
  readonly predecessors: readonly Predecessor[];
}
export interface Predecessor {
  readonly name: string;
  /** Of the Deployment that runs it. */
  readonly labelSelector: string;
  /** Only Deployments of this name count: where the label is one that other operators carry too. */
  readonly deployment?: string;
}

/** A declaration that contradicts itself or another. */
export class DeclarationError extends ReveilleError {}

/** Binds functions to a system; refuses overlaps of status parts, names used twice, and names that are no names. */
export function defineSystem(declaration: {
  readonly name: string;
  readonly description?: string;
  readonly config?: z.ZodType;
  readonly functions: readonly FunctionDeclaration[];
  readonly predecessors?: readonly Predecessor[];
}): System {
  const { name, functions } = declaration;
  for (const each of [name, ...functions.map((one) => one.name)]) {
    if (!/^[a-z][a-z0-9-]{0,62}$/.test(each))
      throw new DeclarationError(
        "DECLARATION_NAME",
        `"${each}" is no name: use lower case letters, digits and dashes, at most 63.`,
      );
    if (each === COMMANDS)
      throw new DeclarationError(
        "DECLARATION_NAME",
        `"${COMMANDS}" is what carries out commands: choose another name.`,
      );
  }
  for (const [index, one] of functions.entries())
    for (const other of functions.slice(index + 1)) refuseOverlap(one, other);
  return {
    name,
    description: declaration.description ?? "",
    functions,
    config: declaration.config ?? z.object({}),
    predecessors: declaration.predecessors ?? [],
  };
}

function refuseOverlap(one: FunctionDeclaration, other: FunctionDeclaration): void {
  if (one.name === other.name)
    throw new DeclarationError(
      "DECLARATION_NAME",
      `Two functions are called ${one.name}: give each a name of its own, it is also their field manager's.`,
    );
  if (one.key.kind.id !== other.key.kind.id || one.key.kind.group !== other.key.kind.group) return;
  const both = overlap(one.key.part, other.key.part);
  if (both.length > 0)
    throw new DeclarationError(
      "DECLARATION_STATUS_OVERLAP",
      `${one.name} and ${other.name} both write the status of ${one.key.kind.id} (${both.join(", ")}): give each key its part of the status, each(Kind, { status: [...] }), or make one function of them.`,
    );
}

function overlap(
  mine: readonly string[] | undefined,
  theirs: readonly string[] | undefined,
): readonly string[] {
  if (mine?.length === 0 || theirs?.length === 0) return [];
  if (mine === undefined || theirs === undefined) return ["everything"];
  const covers = (part: string, by: string): boolean =>
    part === by || part.startsWith(`${by}.`) || by.startsWith(`${part}.`);
  return mine.filter((part) => theirs.some((other) => covers(part, other)));
}
