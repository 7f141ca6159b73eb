import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "vitest";
import * as z from "zod";
import { defineSystem } from "../../shared/function/index.ts";
import { temporaryFolder } from "../testing/command-line.ts";
import { SettingsError } from "./errors.ts";
import { outlineOf } from "./outline.ts";
import { type FlagValue, readSettings } from "./read.ts";
import { settingsSchema } from "./schema.ts";
import { shownSettings } from "./show.ts";

const garden = defineSystem({
  name: "garden",
  functions: [],
  config: z.object({
    season: z.enum(["summer", "winter"]).default("summer"),
    pumpPassword: z.string().default("seed"),
    beds: z.object({ count: z.int().default(3) }).prefault({}),
  }),
});

interface Given {
  readonly file?: string;
  readonly environment?: NodeJS.ProcessEnv;
  readonly flags?: readonly FlagValue[];
}

async function read(t: TestContext, { file, environment = {}, flags = [] }: Given) {
  const path = join(temporaryFolder(t), "reveille.yaml");
  if (file !== undefined) writeFileSync(path, file);
  const asked: unknown[] = [];
  const effective = await readSettings(
    { file: file === undefined ? undefined : path, environment, flags },
    async ({ systems, functions }) => {
      asked.push({ systems, functions });
      return { systems: [garden] };
    },
  );
  const shown = new Map(
    shownSettings(effective).map(({ setting, value, from }) => [
      setting,
      [value, from.replace(path, "reveille.yaml")] as const,
    ]),
  );
  return { ...effective, asked, shown };
}

/** The faults, as people see them. */
async function faultsOf(t: TestContext, given: Given): Promise<readonly string[]> {
  try {
    await read(t, given);
  } catch (thrown) {
    assert.ok(thrown instanceof SettingsError, String(thrown));
    return thrown.message.split("\n").map((line) => line.replace(/^\S*(reveille\.yaml)/, "$1"));
  }
  return [];
}

describe("settings", () => {
  it("have a default each", async (t) => {
    const { settings, shown } = await read(t, {});
    assert.equal(settings.cluster.concurrentWrites, 32);
    assert.equal(settings.runs.limit, 300_000);
    assert.deepEqual(settings.health.listen, { host: "127.0.0.1", port: 0 });
    assert.deepEqual(shown.get("runs.limit"), ["5m", "default"]);
    assert.deepEqual(shown.get("configuration.garden.beds.count"), [3, "default"]);
  });

  it("come from flags before variables before the file, and say so", async (t) => {
    const { settings, shown, asked } = await read(t, {
      file: "worker:\n  parallel: 2\n  only: [a]\nruns: { limit: 1m, maximumAttempts: 7 }\nsystems: [x]\n",
      environment: { REVEILLE_WORKER_PARALLEL: "3", REVEILLE_SYSTEMS: "garden, y", OTHER: "x" },
      flags: [{ path: ["systems"], value: ["garden"], flag: "--systems" }],
    });
    assert.deepEqual(asked, [{ systems: ["garden"], functions: [] }]);
    assert.equal(settings.worker.parallel, 3);
    assert.equal(settings.runs.limit, 60_000);
    assert.deepEqual(shown.get("worker.parallel"), [3, "REVEILLE_WORKER_PARALLEL"]);
    assert.deepEqual(shown.get("worker.only"), [["a"], "reveille.yaml:3"]);
    assert.deepEqual(shown.get("runs.maximumAttempts"), [7, "reveille.yaml:4"]);
    assert.deepEqual(shown.get("systems"), [["garden"], "--systems"]);
  });

  it("hold each system's own configuration, from all sources", async (t) => {
    const { settings } = await read(t, {
      file: '{ "configuration": { "garden": { "season": "winter", "beds": { "count": 4 } } } }',
      environment: { REVEILLE_CONFIGURATION_GARDEN_BEDS_COUNT: "5" },
    });
    assert.deepEqual(settings.configuration, { garden: { season: "winter", beds: { count: 5 } } });
  });

  it("take a group whole from one variable, and its parts from others", async (t) => {
    const { settings } = await read(t, {
      environment: { REVEILLE_RUNS_NETS: "false", REVEILLE_RUNS: '{"maximumAttempts": 2, "nets": true}' },
    });
    assert.equal(settings.runs.maximumAttempts, 2);
    assert.equal(settings.runs.nets, false);
  });

  it("take secrets from files, and never show them", async (t) => {
    const secret = join(temporaryFolder(t), "password");
    writeFileSync(secret, "hunter2\n");
    const { settings, shown } = await read(t, {
      environment: {
        REVEILLE_CONFIGURATION_GARDEN_PUMP_PASSWORD_FILE: secret,
        REVEILLE_TRACES_HEADERS: "authorization: Bearer abc",
        REVEILLE_TRACES_ENDPOINT: "http://user:pass@collector:4318/v1/traces",
      },
    });
    assert.deepEqual(settings.configuration, { garden: { pumpPassword: "hunter2" } });
    assert.deepEqual(settings.traces.headers, { authorization: "Bearer abc" });
    assert.deepEqual(shown.get("configuration.garden.pumpPassword"), [
      "(sealed)",
      `REVEILLE_CONFIGURATION_GARDEN_PUMP_PASSWORD_FILE (${secret})`,
    ]);
    assert.equal(shown.get("traces.headers")?.[0], "(sealed)");
    assert.equal(shown.get("traces.endpoint")?.[0], "http://(sealed)@collector:4318/v1/traces");
    assert.doesNotMatch(JSON.stringify([...shown]), /hunter2|Bearer abc|user:pass/);
  });

  it("say where each fault is", async (t) => {
    const file =
      "worker:\n  paralel: 2\nruns:\n  limit: soon\nhealth: { listen: nowhere }\nconfiguration:\n  garden:\n    season: spring\n    weeds: 1\n";
    assert.deepEqual(await faultsOf(t, { file, environment: { REVEILLE_WORKER_PARALLEL: "many" } }), [
      "reveille.yaml:2: worker.paralel: there is no such setting; did you mean parallel?",
      "reveille.yaml:9: configuration.garden.weeds: there is no such setting; there are season, pumpPassword, beds",
      "REVEILLE_WORKER_PARALLEL: worker.parallel: Invalid input: expected number, received string",
      "reveille.yaml:4: runs.limit: write 500ms, 30s, 10m or 2h",
      "reveille.yaml:5: health.listen: write host:port, as 127.0.0.1:8080 or [::1]:8080",
      'reveille.yaml:8: configuration.garden.season: Invalid option: expected one of "summer"|"winter"',
    ]);
    assert.deepEqual(await faultsOf(t, { environment: { REVEILLE_WORKER_PARALEL: "2" } }), [
      "REVEILLE_WORKER_PARALEL: there is no such setting; did you mean REVEILLE_WORKER_PARALLEL?",
    ]);
    assert.match((await faultsOf(t, { file: "worker: {\n  a: 1\n" }))[0] ?? "", /^reveille\.yaml:\d+: /);
    assert.deepEqual(await faultsOf(t, { file: "- a\n" }), [
      "reveille.yaml:1: settings are names with values",
    ]);
  });

  it("ask for what the chosen bus needs, and for nothing of the others", async (t) => {
    assert.deepEqual(await faultsOf(t, { environment: { REVEILLE_BUS_KIND: "sqs" } }), [
      "REVEILLE_BUS_KIND: bus.sqs.workQueue: it is missing; its variable is REVEILLE_BUS_SQS_WORK_QUEUE",
      "REVEILLE_BUS_KIND: bus.sqs.timerQueue: it is missing; its variable is REVEILLE_BUS_SQS_TIMER_QUEUE",
      "REVEILLE_BUS_KIND: bus.sqs.table: it is missing; its variable is REVEILLE_BUS_SQS_TABLE",
    ]);
    const { shown } = await read(t, {});
    assert.deepEqual(
      [...shown.keys()].filter((name) => name.startsWith("bus.")).map((name) => name.split(".")[1]),
      ["kind", "embedded", "embedded"],
    );
  });

  it("refuse what could only fail later, and say what to do", async (t) => {
    const empty = join(temporaryFolder(t), "empty");
    writeFileSync(empty, "\n");
    const ofNats = (more: string) =>
      faultsOf(t, { file: `bus:\n  kind: nats\n  nats:\n    prefix: op\n${more}` });
    assert.deepEqual(await ofNats("    user: ada\n"), [
      "reveille.yaml:5: bus.nats.user: it has no password: name a file that holds it with REVEILLE_BUS_NATS_PASSWORD_FILE",
    ]);
    assert.deepEqual(await ofNats("    password: x\n"), [
      "reveille.yaml:5: bus.nats.password: it has no user: name one with user, or REVEILLE_BUS_NATS_USER",
    ]);
    for (const one of ["password", "user"])
      assert.deepEqual(await ofNats(`    ${one}: x\n    token: y\n`), [
        `reveille.yaml:6: bus.nats.token: ${one} is given too, and NATS takes one sort of credentials: leave one of them out`,
      ]);
    assert.deepEqual(await ofNats("    token: ''\n    replicas: 2\n"), [
      "reveille.yaml:6: bus.nats.replicas: choose from 1, 3, 5",
    ]);
    assert.deepEqual(await ofNats("    token: ''\n"), [
      "reveille.yaml:5: bus.nats.token: it is empty: write the secret there, or leave it out",
    ]);
    assert.deepEqual(await ofNats("    user: ada\n    password: x\n    replicas: 3\n"), []);
    assert.deepEqual(await faultsOf(t, { environment: { REVEILLE_BUS_NATS_TOKEN_FILE: empty } }), [
      `REVEILLE_BUS_NATS_TOKEN_FILE: ${empty} is empty: write the secret there`,
    ]);
    assert.deepEqual(
      await faultsOf(t, {
        file: "runs:\n  limit: 0s\nwatcher:\n  lease: { duration: 1ms }\ndrain: { limit: 0s }\n",
      }),
      [
        "reveille.yaml:4: watcher.lease.duration: write 3s or more",
        "reveille.yaml:2: runs.limit: write 1s or more",
      ],
    );
  });

  it("name all faults at once, whatever stands in the way of others", async (t) => {
    const file = "runs:\n  limit: 5\nlog:\n  level: loud\nlog:\n  level: info\nsytems: []\nsystems: 7\n";
    const environment = {
      REVEILLE_WORKER_PARALEL: "3",
      REVEILLE_BUS_KIND: "nats",
      REVEILLE_BUS_NATS_PASWORD_FILE: "x",
    };
    const faults = await faultsOf(t, { file, environment });
    assert.deepEqual(faults.toSorted(), [
      "REVEILLE_BUS_NATS_PASWORD_FILE: there is no such setting; did you mean REVEILLE_BUS_NATS_PASSWORD_FILE?",
      "REVEILLE_WORKER_PARALEL: there is no such setting; did you mean REVEILLE_WORKER_PARALLEL?",
      "reveille.yaml:2: runs.limit: write 5s, or another unit: ms, m, h",
      "reveille.yaml:5: Map keys must be unique",
      "reveille.yaml:7: sytems: there is no such setting; did you mean systems?",
      "reveille.yaml:8: systems: Invalid input: expected array, received number",
    ]);
  });

  it("name files that cannot be read", async (t) => {
    const [fault] = await faultsOf(t, { environment: { REVEILLE_CONFIG: "/nowhere/reveille.yaml" } });
    assert.match(fault ?? "", /^(\/nowhere\/)?reveille\.yaml: cannot be read/);
    const [secret] = await faultsOf(t, { environment: { REVEILLE_LOG_LEVEL_FILE: "/nowhere/level" } });
    assert.match(secret ?? "", /^REVEILLE_LOG_LEVEL_FILE: ENOENT/);
  });

  it("are not confused by the variables that Kubernetes sets for a Service called reveille", async (t) => {
    assert.deepEqual(
      await faultsOf(t, {
        environment: {
          REVEILLE_SERVICE_HOST: "10.0.0.1",
          REVEILLE_NATS_SERVICE_PORT_CLIENT: "4222",
          REVEILLE_NATS_PORT: "tcp://10.0.0.1:4222",
          REVEILLE_NATS_PORT_4222_TCP_ADDR: "10.0.0.1",
        },
      }),
      [],
    );
  });

  it("have a variable of their own and a sentence each", () => {
    const outline = outlineOf(settingsSchema([]));
    const variables = outline.map(({ variable }) => variable);
    assert.deepEqual(variables, [...new Set(variables)]);
    for (const { path, type, description } of outline)
      if (type !== "group") assert.match(description, /\w/, path.join("."));
  });
});
