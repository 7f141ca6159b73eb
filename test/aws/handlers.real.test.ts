import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import { startFauxqs } from "fauxqs";
import { type TestContext, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import type { Envelope } from "../../events/index.ts";
import { Instance, kudo } from "../../functions/kudo/index.ts";
import { Platform, sonataflow, Workflow } from "../../functions/sonataflow/index.ts";
import { buildLambdas } from "../../infra/deploy/aws/bundles.ts";
import { queueId, roleId } from "../../infra/deploy/aws/names.ts";
import { unitsOf, workersOf } from "../../infra/deploy/aws/units.ts";
import { startEmulatedTable } from "../../infra/testing/emulated-table.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { installKinds } from "../../infra/testing/stack.ts";
import { startTestApi, type TestApi } from "../../infra/testing/test-api.ts";
import { DynamoStateStore, openSqsBus, sqsOptions, TABLE_KEYS } from "../../shared/bus/sqs/index.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { COMMANDS, commandKey } from "../../shared/function/commands.ts";
import type { Invocation } from "../../shared/host/console/index.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { Deployment } from "../../shared/kube/kinds/index.ts";
import { type KubeObject, parseApiVersion } from "../../shared/kube/object.ts";
import { createRouter } from "../../shared/runner/router.ts";
import { openGate } from "./gate.ts";
import type { PolicyStatement } from "./policy.ts";

const root = join(import.meta.dirname, "../..");
const generated = parse(readFileSync(join(root, "infra/deploy/aws/generated/resources.yml"), "utf8")) as {
  readonly Resources: Readonly<Record<string, { readonly Properties: Readonly<Record<string, unknown>> }>>;
};
const propertiesOf = (id: string): Readonly<Record<string, unknown>> =>
  generated.Resources[id]?.Properties ?? assert.fail(`there is no ${id}`);

const systems = [kudo, sonataflow];
const units = unitsOf(systems);
/** Nothing here takes longer, also where machines are busy. */
const LIMIT = 150_000;
const WATCHER = "watcher";
const OPERATOR = "operator";

/** What processes said is shown where a test did not come to its end. */
const passed = new WeakSet<TestContext>();

/** What whoever signs with this name may do: the generated policies, word for word. */
function statementsOf(who: string): readonly PolicyStatement[] {
  type Document = { readonly PolicyDocument: { readonly Statement: readonly PolicyStatement[] } };
  if (who === WATCHER || who === OPERATOR) {
    const { PolicyDocument } = propertiesOf(
      who === WATCHER ? "WatcherPolicy" : "OperatorPolicy",
    ) as unknown as Document;
    return PolicyDocument.Statement;
  }
  if (!units.some(({ name }) => name === who)) return [];
  return (propertiesOf(roleId(who)).Policies as readonly Document[]).flatMap(
    ({ PolicyDocument }) => PolicyDocument.Statement,
  );
}

const nameOfQueue = (queue: string): string => queue.replace(/^reveille-test-/, "").replace(/\.fifo$/, "");

/** The queues as the deployment makes them, on an emulator. Returns the template of their addresses. */
async function startQueues(t: TestContext): Promise<{ readonly url: string; readonly address: string }> {
  const server = await startFauxqs({ port: 0, host: "127.0.0.1", logger: false });
  t.onTestFinished(() => server.stop());
  let timers = "";
  for (const { name, sort } of units) {
    const { QueueName: _, RedrivePolicy: __, ...properties } = propertiesOf(queueId(name));
    const attributes = Object.fromEntries(
      Object.entries(properties).map(([attribute, value]) => [attribute, String(value)]),
    );
    const end = sort === "timers" ? "" : ".fifo";
    const { queueUrl } = server.createQueue(`reveille-test-${name}${end}`, { attributes });
    if (sort === "timers") timers = queueUrl;
  }
  return { url: `http://127.0.0.1:${server.port}`, address: timers.replace(/timers$/, "") };
}

async function startTable(t: TestContext): Promise<string> {
  const { KeySchema, AttributeDefinitions } = propertiesOf("StateTable");
  assert.deepEqual({ KeySchema, AttributeDefinitions }, TABLE_KEYS);
  const table = await startEmulatedTable("state");
  t.onTestFinished(() => table.stop());
  return table.url;
}

/** Systems Manager's parameters: all hold the token of the API server's administrator. */
async function startParameters(t: TestContext, api: TestApi): Promise<string> {
  const { authorization = "" } = await api.connection.credentials.current();
  const server = createServer((_, response) =>
    response.end(JSON.stringify({ Parameter: { Value: authorization.replace("Bearer ", "") } })),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function start(
  t: TestContext,
  file: string,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): ChildProcess {
  const child = fork(file, words, { env: environment, stdio: ["ignore", "pipe", "pipe", "ipc"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      said = `${said}${text}`.slice(-20_000);
    });
  t.onTestFinished(() => {
    if (!passed.has(t)) t.annotate(`${file} ${words.join(" ")}\n${said}`);
    child.kill("SIGKILL");
  });
  return child;
}

/** The answer to an invocation by hand. */
async function invoke(child: ChildProcess, event: object): Promise<Readonly<Record<string, unknown>>> {
  const answered = once(child, "message");
  child.send(event);
  const [{ answer, error }] = (await answered) as [{ readonly answer?: object; readonly error?: string }];
  assert.equal(error, undefined);
  return answer as Readonly<Record<string, unknown>>;
}

test("the packaged handlers, fed by the watcher over SQS, settle the samples within the rights of their roles", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "reveille-lambda-"));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const api = await startTestApi({ api: "local" });
  t.onTestFinished(() => api.stop());
  await installKinds(api.client, systems);
  const queues = await startQueues(t);
  const resource = (queue: string): string => queueId(nameOfQueue(queue));
  const sqs = await openGate(t, queues.url, statementsOf, resource);
  const table = await openGate(t, await startTable(t), statementsOf, resource);

  const environment: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    AWS_REGION: "us-east-1",
    AWS_SECRET_ACCESS_KEY: "secret",
    AWS_ENDPOINT_URL_SSM: await startParameters(t, api),
    REVEILLE_CLUSTER_NAME: "blue",
    REVEILLE_CLUSTER_AWS_SERVER: api.connection.server,
    REVEILLE_CLUSTER_AWS_CERTIFICATE_AUTHORITY: api.connection.tls.ca,
    REVEILLE_BUS_KIND: "sqs",
    REVEILLE_BUS_SQS_WORK_QUEUE: `${queues.address}{function}.fifo`,
    REVEILLE_BUS_SQS_TIMER_QUEUE: `${queues.address}timers`,
    REVEILLE_BUS_SQS_TABLE: "state",
    REVEILLE_BUS_SQS_ENDPOINT: sqs.url,
    REVEILLE_BUS_SQS_TABLE_ENDPOINT: table.url,
  };
  const as = (who: string): NodeJS.ProcessEnv => ({
    ...environment,
    AWS_ACCESS_KEY_ID: who,
    REVEILLE_CLUSTER_AWS_TOKEN_ARN: `arn:aws:ssm:us-east-1::parameter/reveille/test/token/${who}`,
  });

  const lambdas = new Map<string, ChildProcess>();
  for (const { name, file, bytes } of await buildLambdas(folder)) {
    assert.ok(bytes <= 1_000_000, `${name} has ${bytes} bytes`);
    const end = name === "timers" ? "" : ".fifo";
    const child = start(
      t,
      join(import.meta.dirname, "runtime.ts"),
      [file, `${queues.address}${name}${end}`],
      as(name),
    );
    await once(child, "message");
    lambdas.set(name, child);
  }
  start(t, join(root, "infra/cli/main.ts"), ["watcher"], {
    ...as(WATCHER),
    REVEILLE_WATCHER_LEDGER: join(folder, "ledger.db"),
  });

  for (const { name } of systems) await applySamples(api, join(root, "functions", name, "samples"));

  const list = async (kind: typeof Workflow | typeof Platform) =>
    (await api.client.list(resourceOf(kind))).items as readonly (KubeObject & {
      readonly status?: {
        readonly conditions?: readonly { readonly type: string; readonly status: string }[];
        readonly services?: unknown;
      };
    })[];
  await eventually(
    "all platforms and workflows are ready",
    async () => {
      const all = [...(await list(Workflow)), ...(await list(Platform))];
      return all.every(
        ({ status }) =>
          (status?.conditions?.length ?? 0) > 0 &&
          status?.conditions?.every(({ type, status: holds }) => type === "Built" || holds === "True"),
      );
    },
    LIMIT,
  );
  const uses = Object.fromEntries(
    (await list(Workflow)).map(({ metadata, status }) => [metadata.name, status?.services]),
  );
  assert.deepEqual(uses, {
    draft: undefined,
    invoice: undefined,
    parcel: {
      dataIndexRef: { url: "http://hub-data-index-service.workflow-hub" },
      jobServiceRef: { url: "http://hub-jobs-service.workflow-hub" },
    },
  });

  await planned(api);

  const child = (name: string): ChildProcess => lambdas.get(name) ?? assert.fail(`${name} was not built`);
  for (const { name } of units.filter((unit) => unit.sort === "function")) {
    const event = sampleOf(name);
    await eventually(
      `${name} has nothing left to change`,
      async () => {
        const { runs } = (await invoke(child(name), { dryRun: true, event })) as unknown as Invocation;
        assert.ok(runs.length > 0);
        return runs.every(({ decided, diff }) => decided?.error === undefined && diff?.length === 0);
      },
      LIMIT,
    );
    const { runs } = (await invoke(child(name), event)) as unknown as Invocation;
    assert.deepEqual(
      runs.map(({ state, wrote }) => [state, wrote?.filter(({ sent }) => sent)]),
      runs.map(() => ["ended", []]),
    );
  }
  assert.deepEqual(await invoke(child("sonataflow-workflows"), { reveille: "sweep" }), {
    swept: "sonataflow-workflows",
  });
  await commanded(t, queues.address, sqs.url, table.url);
  assert.deepEqual([...sqs.refused, ...table.refused], []);
  passed.add(t);
});

async function applySamples(api: TestApi, folder: string): Promise<void> {
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .toSorted())
    for (const document of parseAllDocuments(readFileSync(join(folder, file), "utf8")))
      await apply(api, document.toJS() as KubeObject);
}

/** The sample's plan runs to its end; then another parameter runs the plan that it triggers, without admission. */
async function planned(api: TestApi): Promise<void> {
  const place = { namespace: "greetings", name: "friendly" };
  const comesToItsEnd = (plan: string): Promise<unknown> =>
    eventually(
      `the plan ${plan} is complete`,
      async () => {
        const found = (await api.client.get(resourceOf(Instance), place)) as KubeObject & {
          readonly status?: { readonly planStatus?: Readonly<Record<string, { readonly status?: string }>> };
        };
        return found.status?.planStatus?.[plan]?.status === "COMPLETE";
      },
      LIMIT,
    );
  await comesToItsEnd("deploy");
  const patch = { spec: { parameters: { REPLICAS: "3" } } };
  await api.client.patch(resourceOf(Instance), place, "merge", patch, { fieldManager: "user" });
  await comesToItsEnd("scale");
  const speaker = await api.client.get(resourceOf(Deployment), place);
  assert.equal((speaker as KubeObject & { readonly spec: { readonly replicas: number } }).spec.replicas, 3);
}

/** What Lambda's console would hand in: an event of the function's own object. */
const sampleOf = (name: string): object => {
  const [folder = ""] = globSync(`functions/*/wakes/${name}`, { cwd: root }).map((one) => join(root, one));
  const own = readdirSync(folder).find((file) => file.startsWith("own-")) ?? assert.fail(name);
  return JSON.parse(readFileSync(join(folder, own), "utf8")) as object;
};

/** Somebody with the policy for people sends a command, and the Lambda of the commands carries it out. */
async function commanded(
  t: TestContext,
  address: string,
  endpoint: string,
  tableEndpoint: string,
): Promise<void> {
  const credentials = { accessKeyId: OPERATOR, secretAccessKey: "secret" };
  const region = "us-east-1";
  const database = new DynamoDBClient({ endpoint: tableEndpoint, region, credentials });
  const client = new SQSClient({ endpoint, region, credentials, useQueueUrlAsEndpoint: false });
  const options = sqsOptions.parse({
    workQueue: `${address}{function}.fifo`,
    timerQueue: `${address}timers`,
    table: "state",
  });
  const router = createRouter(systems.flatMap(({ functions }) => functions));
  const bus = openSqsBus({
    ...options,
    functions: workersOf(units).map(({ name }) => name),
    route: (event) => router.route(event),
    clock: systemClock,
    client,
    store: new DynamoStateStore({ client: database, table: "state", clock: systemClock, historyDays: 7 }),
  });
  t.onTestFinished(async () => {
    await bus.close();
    client.destroy();
    database.destroy();
  });
  const sample = JSON.parse(
    readFileSync(join(root, "events/samples/command-reconcile.json"), "utf8"),
  ) as Envelope;
  assert.deepEqual(await bus.publish([sample]), { refused: [] });
  const key = commandKey(sample.id);
  const done = await eventually(
    "the command is carried out",
    async () => (await bus.history.ofKey({ function: COMMANDS, key }, 1))[0]?.outcome,
    LIMIT,
  );
  assert.equal(done, "done");
}

async function apply(api: TestApi, object: KubeObject): Promise<void> {
  const { group, version } = parseApiVersion(object.apiVersion ?? "");
  const resources = await api.client.discover(group, version);
  const found =
    resources.find(({ kind }) => kind === object.kind) ?? assert.fail(`${object.kind} is not served`);
  await api.client.apply(found, object.metadata, object, { fieldManager: "user", force: true });
}
