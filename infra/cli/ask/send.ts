import type { Envelope } from "../../../events/index.ts";
import type { Bus } from "../../../shared/bus/contract.ts";
import type { CommandAnswer, RunRecord } from "../../../shared/bus/run-record.ts";
import { systemClock } from "../../../shared/clock/clock.ts";
import type { ConfigOption, StateOption } from "../../../shared/function/command.ts";
import { CliError, UsageError } from "../../../shared/function/command-errors.ts";
import { COMMANDS, commandKey } from "../../../shared/function/commands.ts";
import { createRouter } from "../../../shared/runner/router.ts";
import { isConfigured, withChosenBus } from "../chosen-bus.ts";
import { isLocked } from "../dev/lock.ts";
import type { ServerOptions } from "../options.ts";
import { stateDirectory } from "../state-directory.ts";
import { serverOf } from "./server.ts";

/** The result of a command, as far as one can tell from here. */
export interface Sent {
  readonly id: string;
  /** `accepted`: it is durable, and carried out where the functions run. */
  readonly state: "accepted" | CommandAnswer["outcome"];
  readonly message?: string;
}

const LOOK_EVERY = 100;
const WAIT = 15_000;

/** Sends a command to a server, or into the bus that is meant, and waits there for what comes of it. */
export async function sendCommand(
  event: Envelope,
  options: ServerOptions & StateOption & ConfigOption,
): Promise<Sent> {
  const server = serverOf(options);
  if (server !== undefined) {
    await server.post("/events", event);
    return { id: event.id, state: "accepted" };
  }
  const isOurs = !isConfigured(options);
  return withChosenBus(
    options,
    async (bus) => {
      const { refused } = await bus.publish([event]);
      const [fault] = refused;
      if (fault !== undefined) throw new UsageError(`${fault.issues.join("; ")}.`);
      if (isOurs && !isLocked(stateDirectory(options.data)))
        return {
          id: event.id,
          state: "accepted",
          message: "Nothing runs here now: it happens at the next start.",
        };
      return { id: event.id, ...(await outcomeOf(bus, event.id)) };
    },
    async () => createRouter([]).route,
  );
}

async function outcomeOf(bus: Pick<Bus, "history">, id: string): Promise<Omit<Sent, "id">> {
  const key = { function: COMMANDS, key: commandKey(id) };
  const until = systemClock.now() + WAIT;
  while (systemClock.now() < until) {
    const run = (await bus.history.ofKey(key, 5)).find(({ outcome }) => outcome !== "retry");
    if (run !== undefined) return stateOf(run);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
  }
  throw new CliError(
    "CLI_NO_ANSWER",
    `Nobody has carried it out within ${WAIT / 1000} s; it stays on the bus until somebody does. \`reveille logs\` shows what happens.`,
  );
}

function stateOf({ error, answer }: RunRecord): Pick<Sent, "state" | "message"> {
  const { outcome: state, message } = answer ?? { outcome: "done", message: "" };
  if (state === "done") return error === undefined ? { state } : { state: "refused", message: error.message };
  return { state, message };
}
