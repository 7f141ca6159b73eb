import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, it } from "vitest";
import { deployedSystems } from "../../infra/deploy/aws/bundles.ts";
import { bundleFolder } from "../../infra/deploy/aws/functions.ts";
import { deadQueueId, lambdaId, queueId, roleId } from "../../infra/deploy/aws/names.ts";
import { unitsOf, workersOf } from "../../infra/deploy/aws/units.ts";
import { textOf } from "../docs/pages.ts";
import type { PolicyStatement } from "./policy.ts";

const root = join(import.meta.dirname, "../..");
const osls = join(root, "build/osls/node_modules/osls/bin/serverless.js");
const missing = !existsSync(osls) && process.env.CI !== "true";
const run = promisify(execFile);

interface Packaged {
  readonly Type: string;
  readonly Condition?: string;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly Properties: Readonly<Record<string, unknown>>;
}

interface Template {
  readonly Conditions: Readonly<Record<string, unknown>>;
  readonly Resources: Readonly<Record<string, Packaged>>;
}

const KEY = "arn:aws:kms:eu-central-1:123456789012:key/mine";

/** What each template is made with. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  eks: ["access=eks"],
  token: ["access=token"],
  secret: ["access=secret"],
  vpc: [
    "vpcSubnets=subnet-1,subnet-2",
    "vpcSecurityGroups=sg-1",
    "permissionsBoundary=arn:aws:iam::123456789012:policy/boundary",
    "concurrency=6",
    `kmsKey=${KEY}`,
    "namespaces=team-a,team-b",
  ],
};

/** What CloudFormation makes of a value: `Fn::If` over the template's own conditions. */
function resolved(value: unknown, conditions: Template["Conditions"]): unknown {
  if (typeof value !== "object" || value === null || !("Fn::If" in value)) return value;
  const [condition, then, otherwise] = value["Fn::If"] as readonly [string, unknown, unknown];
  const {
    "Fn::Not": [
      {
        "Fn::Equals": [left, right],
      },
    ],
  } = conditions[condition] as {
    readonly "Fn::Not": readonly [{ readonly "Fn::Equals": readonly [string, string] }];
  };
  return resolved(left !== right ? then : otherwise, conditions);
}

/** The variables that docs/run-on-aws.md has one set; what it asks AWS for has a stand-in. */
function settingsOfThePage(): NodeJS.ProcessEnv {
  const lines = [...textOf("docs/run-on-aws.md").matchAll(/^export (REVEILLE_\w+)=(.*)$/gm)];
  assert.equal(lines.length, 4);
  return Object.fromEntries(
    lines.map(([, name = "", value = ""]) => [
      name,
      value.startsWith("$(") ? "https://api.blue.example" : value,
    ]),
  );
}

/** Nothing that could be asked: no proxy, no credentials, no home with settings. */
const environment = (home: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: home,
  HTTPS_PROXY: "http://127.0.0.1:1",
  HTTP_PROXY: "http://127.0.0.1:1",
  ...settingsOfThePage(),
});

const systems = await deployedSystems();
const units = unitsOf(systems);
const list = <T>(value: T | readonly T[]): readonly T[] => (Array.isArray(value) ? value : [value as T]);

describe("osls package", { skip: missing }, () => {
  const home = mkdtempSync(join(tmpdir(), "reveille-aws-"));
  const templates = new Map<string, Template>();
  const made: string[] = [];

  beforeAll(async () => {
    // What is packaged is a place-holder where nothing was built: the template does not depend on it.
    for (const { name } of units) {
      const folder = join(root, bundleFolder(name));
      if (existsSync(join(folder, "index.mjs"))) continue;
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "index.mjs"), "export const handler = async () => undefined;\n");
      made.push(folder);
    }
    for (const [name, parameters] of Object.entries(PARAMETERS)) {
      const out = join(home, name);
      await run(
        process.execPath,
        [
          osls,
          "package",
          "--package",
          out,
          "--stage",
          "prod",
          ...parameters.flatMap((one) => ["--param", one]),
        ],
        { cwd: root, env: environment(home) },
      );
      const template = JSON.parse(
        readFileSync(join(out, "cloudformation-template-update-stack.json"), "utf8"),
      ) as Template;
      templates.set(name, template);
    }
  });
  afterAll(() => {
    rmSync(home, { recursive: true, force: true });
    for (const folder of made) rmSync(folder, { recursive: true, force: true });
  });

  const resources = (access = "eks"): Readonly<Record<string, Packaged>> =>
    templates.get(access)?.Resources ?? assert.fail(`no template for ${access}`);
  const ofType = (type: string, access?: string): [string, Packaged][] =>
    Object.entries(resources(access)).filter(([, { Type }]) => Type === type);
  const propertiesOf = (id: string): Readonly<Record<string, unknown>> =>
    resources()[id]?.Properties ?? assert.fail(`there is no ${id}`);

  it("packs one bundle for each Lambda, and nothing else into it", () => {
    const packed = readdirSync(join(home, "eks")).filter((file) => file.endsWith(".zip"));
    assert.deepEqual(packed.sort(), units.map(({ name }) => `${name}.zip`).sort());
    for (const file of packed)
      assert.ok(readFileSync(join(home, "eks", file)).length < 1_000_000, `${file} holds more than a bundle`);
  });

  it("makes a Lambda of each function, with its own role and its own mapping that reports parts of batches", () => {
    const lambdas = ofType("AWS::Lambda::Function");
    assert.equal(lambdas.length, units.length);
    for (const { name } of units) {
      const [id, lambda] =
        lambdas.find(([, { Properties }]) => Properties.FunctionName === `reveille-prod-${name}`) ??
        assert.fail(`${name} has no Lambda`);
      assert.deepEqual(lambda.Properties.Role, { "Fn::GetAtt": [roleId(name), "Arn"] });
      const mappings = ofType("AWS::Lambda::EventSourceMapping").filter(([, { Properties }]) =>
        JSON.stringify(Properties.FunctionName).includes(id),
      );
      assert.equal(mappings.length, 1, `${name} has one mapping`);
      const { EventSourceArn, FunctionResponseTypes, FilterCriteria } = mappings[0]?.[1].Properties ?? {};
      assert.deepEqual(EventSourceArn, { "Fn::GetAtt": [queueId(name), "Arn"] });
      assert.deepEqual(FunctionResponseTypes, ["ReportBatchItemFailures"]);
      assert.equal(FilterCriteria, undefined, "a filter deletes what it turns away");
      const { VisibilityTimeout } = propertiesOf(queueId(name));
      assert.ok(
        Number(VisibilityTimeout) > Number(lambda.Properties.Timeout),
        "no message returns while it runs",
      );
    }
  });

  const chosen = (id: string, property: string, of: string): unknown => {
    const { Conditions, Resources } = templates.get(of) ?? assert.fail(of);
    return resolved(Resources[id]?.Properties[property], Conditions);
  };
  const NOTHING = { Ref: "AWS::NoValue" };

  it("puts each Lambda into the VPC that is asked for, with the right to make its interfaces, and else into none", () => {
    for (const { name } of units) {
      assert.deepEqual(chosen(lambdaId(name), "VpcConfig", "vpc"), {
        SubnetIds: { "Fn::Split": [",", "subnet-1,subnet-2"] },
        SecurityGroupIds: { "Fn::Split": [",", "sg-1"] },
      });
      assert.match(
        JSON.stringify(chosen(roleId(name), "ManagedPolicyArns", "vpc")),
        /service-role\/AWSLambdaVPCAccessExecutionRole/,
      );
      assert.deepEqual(chosen(lambdaId(name), "VpcConfig", "eks"), NOTHING);
      assert.deepEqual(chosen(roleId(name), "ManagedPolicyArns", "eks"), NOTHING);
    }
  });

  it("encrypts what it keeps with the key that is asked for, and lets those use it who send and receive", () => {
    for (const [id] of ofType("AWS::SQS::Queue", "vpc")) {
      assert.deepEqual(
        ["KmsMasterKeyId", "SqsManagedSseEnabled"].map((property) => chosen(id, property, "vpc")),
        [KEY, NOTHING],
        id,
      );
      assert.deepEqual(
        ["KmsMasterKeyId", "SqsManagedSseEnabled"].map((property) => chosen(id, property, "eks")),
        [NOTHING, true],
        id,
      );
    }
    const encrypted = { SSEEnabled: true, SSEType: "KMS", KMSMasterKeyId: KEY };
    assert.deepEqual(chosen("StateTable", "SSESpecification", "vpc"), encrypted);
    assert.deepEqual(chosen("StateTable", "SSESpecification", "eks"), { SSEEnabled: true });
    assert.equal(chosen("AlarmTopic", "KmsMasterKeyId", "vpc"), KEY);
    const policy = resources("vpc").KeyPolicy ?? assert.fail("no policy");
    assert.deepEqual(policy.Properties.PolicyDocument, {
      Version: "2012-10-17",
      Statement: [{ Effect: "Allow", Action: ["kms:Decrypt", "kms:GenerateDataKey"], Resource: [KEY] }],
    });
    // Who only invokes needs no key; the watcher's role names the policy itself.
    const users = ofType("AWS::IAM::Role", "vpc").filter(([id]) => !/^(IamRole|Watcher|Sweep)/.test(id));
    assert.deepEqual(
      (policy.Properties.Roles as readonly { readonly Ref: string }[]).map(({ Ref }) => Ref).toSorted(),
      users.map(([id]) => id).toSorted(),
    );
    assert.equal(policy.Condition, "HasKmsKey");
    assert.match(JSON.stringify(resources("vpc").WatcherRole?.Properties.ManagedPolicyArns), /"KeyPolicy"/);
  });

  it("bounds every role that it makes by the policy that is asked for", () => {
    const roles = ofType("AWS::IAM::Role", "vpc");
    assert.ok(roles.length > units.length);
    for (const [id] of roles) {
      assert.equal(chosen(id, "PermissionsBoundary", "vpc"), "arn:aws:iam::123456789012:policy/boundary", id);
      assert.deepEqual(chosen(id, "PermissionsBoundary", "eks"), NOTHING, id);
    }
  });

  it("bounds how many Lambdas run at once, by what the function says or by the parameter", () => {
    for (const [name, otherwise] of [
      ["eks", 4],
      ["vpc", 6],
    ] as const)
      for (const { name: function_, declaration } of units) {
        const [, mapping] =
          ofType("AWS::Lambda::EventSourceMapping", name).find(([, { Properties }]) =>
            JSON.stringify(Properties.FunctionName).includes(`"${lambdaId(function_)}"`),
          ) ?? assert.fail(function_);
        assert.deepEqual(mapping.Properties.ScalingConfig, {
          MaximumConcurrency: Math.max(2, declaration?.parallel ?? otherwise),
        });
      }
  });

  it("hands settings to the Lambdas only where they are given", () => {
    const variable = (of: string): unknown => {
      const { Conditions, Resources } = templates.get(of) ?? assert.fail(of);
      const lambda = Resources[lambdaId(units[0]?.name ?? "")] ?? assert.fail("no Lambda");
      const { Variables } = lambda.Properties.Environment as {
        readonly Variables: Readonly<Record<string, unknown>>;
      };
      return resolved(Variables.REVEILLE_NAMESPACES, Conditions);
    };
    assert.equal(variable("vpc"), "team-a,team-b");
    assert.deepEqual(variable("eks"), NOTHING);
  });

  it("raises an alarm when no watcher tells that it follows the cluster", () => {
    const [, { Properties }] =
      ofType("AWS::CloudWatch::Alarm").find(([id]) => id === "WatcherSilentAlarm") ?? assert.fail("no alarm");
    assert.deepEqual(
      [Properties.ComparisonOperator, Properties.Threshold, Properties.TreatMissingData],
      ["LessThanThreshold", 1, "breaching"],
    );
    assert.match(JSON.stringify(Properties.Dimensions), /"HeartbeatQueue"/);
    assert.match(JSON.stringify(propertiesOf("WatcherPolicy").PolicyDocument), /"HeartbeatQueue"/);
  });

  it("keeps the table when the stack is removed or the table replaced", () => {
    const { DeletionPolicy, UpdateReplacePolicy } = resources().StateTable ?? assert.fail();
    assert.deepEqual([DeletionPolicy, UpdateReplacePolicy], ["Retain", "Retain"]);
  });

  it("gives each queue a backstop of its own kind, far behind the last attempt of the bus", () => {
    for (const { name, sort } of units) {
      const { RedrivePolicy, FifoQueue } = propertiesOf(queueId(name));
      const { deadLetterTargetArn, maxReceiveCount } = RedrivePolicy as Record<string, unknown>;
      assert.deepEqual(deadLetterTargetArn, { "Fn::GetAtt": [deadQueueId(name), "Arn"] });
      assert.ok(Number(maxReceiveCount) >= 100);
      assert.equal(FifoQueue, sort === "timers" ? undefined : true);
      assert.equal(propertiesOf(deadQueueId(name)).FifoQueue, FifoQueue);
    }
  });

  it("raises an alarm when work grows old, when a queue gives up, and when keys go to the dead letters", () => {
    const alarms = ofType("AWS::CloudWatch::Alarm").map(([, { Properties }]) => Properties);
    for (const { name } of units) {
      const about = (metric: string, queue: string) =>
        alarms.filter(
          ({ MetricName, Dimensions }) =>
            MetricName === metric && JSON.stringify(Dimensions).includes(JSON.stringify(queue)),
        );
      assert.equal(about("ApproximateAgeOfOldestMessage", queueId(name)).length, 1);
      assert.equal(about("ApproximateNumberOfMessagesVisible", deadQueueId(name)).length, 1);
      const metric = `reveille-prod-${name}-dead-letters`;
      assert.ok(alarms.some(({ MetricName }) => MetricName === metric));
      assert.match(JSON.stringify(ofType("AWS::Logs::MetricFilter")), new RegExp(`"${metric}"`));
    }
    for (const { AlarmActions } of alarms) assert.deepEqual(AlarmActions, [{ Ref: "AlarmTopic" }]);
    for (const [, { Properties }] of ofType("AWS::Logs::LogGroup"))
      assert.equal(Properties.RetentionInDays, 30);
  });

  it("grants no wildcard but where AWS knows no names beforehand", () => {
    for (const access of ["eks", "token", "secret"]) {
      const documents = Object.entries(resources(access)).flatMap(([id, { Properties }]) =>
        [
          ...((Properties.Policies as { readonly PolicyDocument: object }[] | undefined) ?? []).map(
            (policy) => policy.PolicyDocument,
          ),
          ...(Properties.PolicyDocument === undefined ? [] : [Properties.PolicyDocument]),
        ].map((document) => ({
          id,
          document: document as { readonly Statement: readonly PolicyStatement[] },
        })),
      );
      assert.ok(documents.length > units.length);
      for (const { id, document } of documents)
        for (const { Effect, Action, Resource } of document.Statement) {
          // osls lets nobody reach its bucket in plain text.
          if (Effect === "Deny") continue;
          assert.doesNotMatch(JSON.stringify(Action), /\*/, id);
          for (const resource of list(Resource)) {
            const text = JSON.stringify(resource);
            // Streams of one log group, and schedules that are named for keys.
            if (/log-group:\/aws\/lambda\/reveille-prod-[a-z-]+:\*"/.test(text)) continue;
            if (/schedule\/reveille-prod-timers\/\*"/.test(text)) continue;
            assert.doesNotMatch(text, /\*/, id);
          }
        }
    }
  });

  it("lets a function receive from its own queue alone, and keep its own keys alone", () => {
    for (const { name, sort, sendsTo } of units) {
      const [policy] = propertiesOf(roleId(name)).Policies as readonly [
        { readonly PolicyDocument: { readonly Statement: readonly PolicyStatement[] } },
      ];
      const statements = policy.PolicyDocument.Statement;
      const queuesFor = (action: string): readonly string[] =>
        statements
          .filter(({ Action }) => list(Action).includes(action))
          .flatMap(({ Resource }) => list(Resource))
          .map(
            (resource) => (resource as { readonly "Fn::GetAtt": readonly string[] })["Fn::GetAtt"][0] ?? "",
          );
      assert.deepEqual(queuesFor("sqs:ReceiveMessage"), [queueId(name)]);
      assert.deepEqual(queuesFor("sqs:DeleteMessage"), [queueId(name)]);
      assert.deepEqual(
        new Set(queuesFor("sqs:SendMessage")),
        new Set([...sendsTo.map(queueId), queueId("timers")]),
      );
      const keys = JSON.stringify(statements.map(({ Condition }) => Condition)).match(/key\/[^"]*/g);
      assert.deepEqual(keys, sort === "function" ? [`key/${name}`] : null);
    }
    const roles = ofType("AWS::IAM::Role").length;
    // One each, those of the two sorts of schedules, and the watcher's.
    assert.equal(roles, units.length + 3);
    assert.equal(resources().IamRoleLambdaExecution, undefined, "no role is shared");
  });

  it("sweeps each function by a schedule that may invoke these functions alone", () => {
    const functions = units.filter(({ sort }) => sort === "function");
    assert.equal(ofType("AWS::Scheduler::Schedule").length, functions.length);
    const [policy] = propertiesOf("SweepRole").Policies as readonly [
      { readonly PolicyDocument: { readonly Statement: readonly PolicyStatement[] } },
    ];
    assert.deepEqual(
      policy.PolicyDocument.Statement.map(({ Action, Resource }) => [Action, list(Resource).length]),
      [[["lambda:InvokeFunction"], functions.length]],
    );
  });

  it("holds references to secrets and no secret, and tells each Lambda only how it signs in itself", () => {
    const environmentOf = (name: string, access: string): Readonly<Record<string, unknown>> => {
      const [, lambda] =
        ofType("AWS::Lambda::Function", access).find(
          ([, { Properties }]) => Properties.FunctionName === `reveille-prod-${name}`,
        ) ?? assert.fail(name);
      return (lambda.Properties.Environment as { readonly Variables: Readonly<Record<string, unknown>> })
        .Variables;
    };
    for (const { name } of workersOf(units)) {
      assert.equal(environmentOf(name, "eks").REVEILLE_CLUSTER_AWS_EKS_CLUSTER, "blue");
      assert.match(
        JSON.stringify(environmentOf(name, "token").REVEILLE_CLUSTER_AWS_TOKEN_ARN),
        new RegExp(`parameter/reveille/prod/token/${name}"`),
      );
      assert.match(
        JSON.stringify(environmentOf(name, "secret").REVEILLE_CLUSTER_AWS_TOKEN_ARN),
        new RegExp(`secret:reveille/prod/${name}/token"`),
      );
    }
    assert.equal(environmentOf("timers", "eks").REVEILLE_CLUSTER_AWS_SERVER, undefined);
    const entries = ofType("AWS::EKS::AccessEntry").map(([, { Properties }]) => Properties.KubernetesGroups);
    assert.deepEqual(
      entries.flat().sort(),
      workersOf(units)
        .map(({ name }) => `reveille-${name}`)
        .sort(),
    );
    for (const [access, action] of [
      ["token", /"ssm:GetParameter"/],
      ["secret", /"secretsmanager:GetSecretValue"/],
    ] as const) {
      assert.deepEqual(ofType("AWS::EKS::AccessEntry", access), []);
      const tokens = ofType("AWS::IAM::Policy", access).map(([, { Properties }]) =>
        JSON.stringify(Properties),
      );
      assert.equal(tokens.length, workersOf(units).length);
      for (const text of tokens) assert.match(text, action);
    }
  });
});
