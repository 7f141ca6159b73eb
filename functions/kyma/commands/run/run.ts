import type {
  ClusterOptions,
  CommandTools,
  ConfigOption,
  OutputOption,
} from "../../../../shared/function/command.ts";
import { CliError } from "../../../../shared/function/command-errors.ts";
import { fieldOf, fieldsOf } from "../../../../shared/json/fields.ts";
import { CONTROL_PLANE } from "../../kinds/index.ts";
import { diskFiles } from "../../ports/files/adapters/index.ts";
import { modulesText } from "../modules.ts";
import { folderCatalog, kymaIn } from "./files.ts";
import { followKyma } from "./follow.ts";
import { type KymaPlace, refuseOtherKymas, writeAll } from "./write.ts";

/** The flags of `run`. */
export interface RunOptions extends ClusterOptions, ConfigOption, OutputOption {
  readonly catalog: string;
  readonly file: string;
  readonly timeout: number;
  readonly yes?: true;
}

/** The functions that bring modules into the cluster where their Kyma lies. */
const FUNCTIONS = ["kymas", "kyma-manifests", "kyma-runtimes", "kyma-policies", "kyma-release-deletion"];

/** `run`: installs the modules of a Kyma from a folder, and ends. */
export async function run(tools: CommandTools, given: RunOptions): Promise<void> {
  const format = tools.outputFormat(given.output);
  const { kubeconfig, context, config, yes = false, file, timeout } = given;
  const kyma = kymaIn(await diskFiles.text(file), file);
  const catalog = await folderCatalog(given.catalog, diskFiles);
  for (const one of catalog.passedOver) tools.say(`${one} is no part of a catalog: passed over`);
  const place: KymaPlace = {
    name: kyma.metadata.name,
    namespace: kyma.metadata.namespace || CONTROL_PLANE,
  };
  const followed = await tools.runHere(
    {
      kubeconfig,
      context,
      config,
      yes,
      functions: FUNCTIONS,
      configured: (settings) => configured(settings, catalog.layout, given.catalog),
      before: (client) => refuseOtherKymas(client, place),
      prepare: (client) => writeAll(client, { catalog: catalog.objects, kyma, file, place }),
    },
    (running) => followKyma(running, place, { timeout, tell: tools.say }),
  );
  tools.printAs(format, followed.kyma, () => modulesText(followed.kyma));
  if (followed.unready.length === 0) return;
  const reasons = followed.unready.join("; ");
  if (followed.late)
    throw new CliError(
      "CLI_KYMA_TIMEOUT",
      `Not everything was ready in time (--timeout). The same command goes on from there. ${reasons}`,
    );
  throw new CliError("CLI_KYMA_NOT_READY", `Not everything is ready, and nothing more happens: ${reasons}`);
}

/** The settings with which modules go into the cluster of their Kyma, from the folder where that holds components. */
function configured(settings: unknown, layout: string | undefined, folder: string): unknown {
  const { watcher: _, ...rest } = fieldsOf(settings);
  const here = { ...rest, target: "local" };
  if (layout !== undefined) return { ...here, registry: { folder: layout } };
  if (fieldOf(rest, "registry") !== undefined) return here;
  throw new CliError(
    "CLI_KYMA_COMPONENTS_MISSING",
    `${folder} holds no OCI layout with the components of its modules: put one below it, or name their registry in the settings (kyma.registry.oci) with --config.`,
  );
}
