import type { FunctionCounts } from "../../../shared/bus/contract.ts";
import { countsOf } from "../../../shared/bus/counts-of.ts";
import { systemClock } from "../../../shared/clock/clock.ts";
import { messageOf } from "../../../shared/errors.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { createKubeClient } from "../../../shared/kube/http-client.ts";
import { clusterConnection } from "../../hosts/cluster-connection.ts";
import type { Settings } from "../../settings/index.ts";
import { leaderOf } from "../../watcher/index.ts";
import { withChosenBus } from "../chosen-bus.ts";
import { settingsOf } from "../settings.ts";
import { type HeldFound, heldLines, heldThrough, listHeld } from "./held.ts";
import { pausedLines } from "./paused.ts";
import { awayLines, workTable } from "./work.ts";

/** The state of watcher and workers, as far as their bus and the API server tell. */
export interface HostsStatus extends HeldFound {
  readonly bus: Settings["bus"]["kind"];
  readonly server: string | undefined;
  readonly leader:
    | { readonly holder: string; readonly renewTime: string; readonly ended: boolean }
    | undefined;
  readonly counts: Readonly<Record<string, FunctionCounts>>;
}

/** Asks the bus and the cluster that the settings name. The bus must answer; of the cluster it is told where it does not. */
export async function hostsStatus(choice: {
  readonly data: string;
  readonly config?: string | undefined;
}): Promise<HostsStatus> {
  const { settings } = await settingsOf({ config: choice.config });
  return withChosenBus(choice, async (bus, installation) => ({
    bus: settings.bus.kind,
    counts: await countsOf(
      bus,
      installation.functions.map(({ name }) => name),
    ),
    ...(await inCluster(settings, async (client) => ({
      leader: await leaderOf(
        client,
        {
          namespace: settings.watcher.lease.namespace ?? settings.home.namespace,
          name: settings.watcher.lease.name,
        },
        systemClock.now(),
      ),
      ...(await heldThrough(client, installation)),
    }))),
  }));
}

async function inCluster(
  { cluster }: Settings,
  ask: (client: KubeClient) => Promise<HeldFound & Pick<HostsStatus, "leader">>,
): Promise<HeldFound & Pick<HostsStatus, "leader" | "server">> {
  const nothing = { leader: undefined, held: undefined, paused: undefined };
  try {
    const connection = await clusterConnection(cluster, process.env, systemClock);
    const client = createKubeClient({ connection });
    try {
      return { server: connection.server, ...(await ask(client)) };
    } catch (thrown) {
      return { server: connection.server, ...nothing, unreached: messageOf(thrown) };
    } finally {
      client.close();
    }
  } catch (thrown) {
    return { server: undefined, ...nothing, unreached: messageOf(thrown) };
  }
}

/** The same as data for scripts. */
export const hostsValue = (found: HostsStatus) => ({ ...found, held: listHeld(found.held) });

/** The same for people. */
export function hostsText({ bus, server, leader, counts, held, paused, unreached }: HostsStatus): string {
  const lines = [`Bus: ${bus}`];
  if (server !== undefined) lines.push(`API server: ${server}`);
  if (unreached !== undefined) lines.push(`The API server was not reached: ${unreached}`);
  else if (leader === undefined) lines.push("Watcher: none leads, so no change is seen: start one");
  else
    lines.push(
      leader.ended
        ? `Watcher: ${leader.holder} led and has been silent since ${leader.renewTime}, so no change is seen: start one`
        : `Watcher: ${leader.holder} leads`,
    );
  return [
    ...lines,
    "",
    workTable(counts),
    ...awayLines(counts),
    ...pausedLines(paused, Date.now()),
    ...heldLines(held),
  ].join("\n");
}
