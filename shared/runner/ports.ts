import type { FunctionDeclaration } from "../function/declaration.ts";
import type { EffectPlan, Result } from "../function/effects.ts";
import type { AnyPort, BoundPort, CallOptions } from "../function/port.ts";
import { DeclarationError } from "../function/system.ts";
import type { Recorder } from "./recorder.ts";

/** The adapter of each port, by the port's id. */
export type Ports = ReadonlyMap<string, object>;

type CallPlan = Extract<EffectPlan, { effect: "call" }>;
/** Performs an effect beyond the API server. */
export type CallPort = (plan: CallPlan) => Promise<Result<unknown>>;

/** Later ones take the place of earlier ones. */
export const portsOf = (bound: readonly BoundPort[]): Ports =>
  new Map(bound.map(({ port, implementation }) => [port.id, implementation]));

/** Refuses a function that uses a port without an adapter: it would fail one run after the other. */
export function refuseUnboundPorts({ name, uses }: FunctionDeclaration, ports: Ports): void {
  const unbound = uses.find(({ id }) => !ports.has(id));
  if (unbound !== undefined)
    throw new DeclarationError(
      "PORT_UNBOUND",
      `${name} uses the port "${unbound.id}", which has no adapter: start it with ports: [${unbound.id}.bind(…)], or let its system bind one (ports of defineSystem).`,
    );
}

/** The adapter of a port that the function declares. */
export function usedPort(port: AnyPort, declaration: FunctionDeclaration, ports: Ports): object {
  if (!declaration.uses.some(({ id }) => id === port.id))
    throw new DeclarationError(
      "UNDECLARED_PORT",
      `${declaration.name} uses the port "${port.id}", which it does not declare: add it to uses.`,
    );
  refuseUnboundPorts(declaration, ports);
  return ports.get(port.id) as object;
}

/** Calls ports for one run. Its errors are the adapter's: retryable unless terminal. */
export const portCaller =
  (of: {
    readonly declaration: FunctionDeclaration;
    readonly ports: Ports;
    readonly recorder: Recorder;
    readonly signal: AbortSignal;
  }): CallPort =>
  async ({ port, method, argument, key }) => {
    const behind = usedPort(port, of.declaration, of.ports) as Readonly<Record<string, unknown>>;
    const ask = behind[method];
    if (typeof ask !== "function")
      throw new DeclarationError(
        "PORT_METHOD_MISSING",
        `The adapter of the port "${port.id}" has no ${method}: bind one that has all of the port's methods.`,
      );
    const options: CallOptions = { key, signal: of.signal };
    const value: unknown = await ask.call(behind, argument, options);
    // What was asked beyond the server tells nothing of whether the world here has changed: no reason for another pass.
    of.recorder.wrote(
      { verb: "call", subject: `${port.id}/${method}//${key}`, paths: [], sent: true },
      false,
      false,
    );
    return { state: "done", value, changed: true };
  };

/** The calls of a dry run: nothing is asked for. */
export const callsNothing: CallPort = async () => ({ state: "not run" });
