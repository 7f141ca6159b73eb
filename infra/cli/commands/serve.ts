import { Command } from "commander";
import { keepProcessSmall } from "../flags-of-node.ts";
import { withCluster, withConfig, withExamples, withSelection } from "../options.ts";
import type { SettingFlags } from "../settings.ts";

/** `reveille serve`: webhooks, events, commands and invocations over HTTP. */
export const serve = (): Command =>
  withExamples(
    withCluster(
      withSelection(
        withConfig(
          new Command("serve").description(
            "take webhooks, events and commands over HTTP, and let functions be invoked by hand",
          ),
        ),
      ),
    ).option("--listen <address>", "host:port (default: 127.0.0.1:8080)"),
    [
      ["As a file says", "reveille serve --config reveille.yaml"],
      ["On all addresses, as in a container", "reveille serve --config reveille.yaml --listen 0.0.0.0:8080"],
    ],
  ).action(async (flags: SettingFlags) => {
    keepProcessSmall();
    const { untilInterrupted } = await import("../host.ts");
    const { runServe } = await import("../../hosts/index.ts");
    await untilInterrupted("serve", flags, runServe);
  });
