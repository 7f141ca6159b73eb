import assert from "node:assert/strict";
import { test } from "vitest";
import { awsClusterOptions } from "../../../shared/kube/aws/options.ts";
import { tokenAccess } from "./access.ts";
import type { Unit } from "./units.ts";

const unit = (name: string, sort: Unit["sort"]): Unit => ({ name, sort, description: "", sendsTo: [] });
// Names that end as the ARN of a secret does: a hyphen and six letters.
const units = [unit("shop-status", "function"), unit("commands", "commands"), unit("timers", "timers")];
const NAMES = ["shop-status", "commands"];

/** What CloudFormation and osls make of a text. */
const filled = (text: unknown): string =>
  String((text as { readonly "Fn::Sub": string })["Fn::Sub"])
    .replaceAll(`\${AWS::Partition}`, "aws")
    .replaceAll(`\${AWS::Region}`, "eu-central-1")
    .replaceAll(`\${AWS::AccountId}`, "123456789012")
    .replaceAll(`\${sls:stage}`, "dev");

interface Grant {
  readonly PolicyDocument: {
    readonly Statement: readonly {
      readonly Action: readonly string[];
      readonly Resource: readonly object[];
    }[];
  };
}
const grantsOf = ({ Resources }: ReturnType<typeof tokenAccess>) =>
  Object.values(Resources).map(({ Type, Properties }) => {
    assert.equal(Type, "AWS::IAM::Policy");
    const { Statement } = (Properties as unknown as Grant).PolicyDocument;
    assert.equal(Statement.length, 1);
    return { actions: Statement[0]?.Action, resources: Statement[0]?.Resource.map(filled) ?? [] };
  });
const asked = ({ environment }: ReturnType<typeof tokenAccess>, name: string): string =>
  filled(
    Object.entries(environment[name] ?? {}).find(([of]) => of === "REVEILLE_CLUSTER_AWS_TOKEN_ARN")?.[1],
  );

test("tokens in Systems Manager: each Lambda is granted the parameter that it reads, and no other", () => {
  const access = tokenAccess(units, "token");
  assert.deepEqual(
    grantsOf(access),
    NAMES.map((name) => ({ actions: ["ssm:GetParameter"], resources: [asked(access, name)] })),
  );
  assert.equal(
    asked(access, "commands"),
    "arn:aws:ssm:eu-central-1:123456789012:parameter/reveille/dev/token/commands",
  );
  assert.deepEqual(access.environment.timers, {});
});

test("tokens in Secrets Manager: each Lambda is granted the secret that it reads, and no other", () => {
  const access = tokenAccess(units, "secret");
  assert.deepEqual(
    grantsOf(access),
    NAMES.map((name) => ({
      actions: ["secretsmanager:GetSecretValue"],
      resources: [`${asked(access, name)}-??????`],
    })),
  );
  assert.equal(
    asked(access, "commands"),
    "arn:aws:secretsmanager:eu-central-1:123456789012:secret:reveille/dev/commands/token",
  );
  // An ARN that seemed whole would be looked for as it is, and not found.
  for (const name of NAMES) assert.doesNotMatch(asked(access, name), /-[A-Za-z0-9]{6}$/);
});

test("a Lambda takes where its token lies for its settings", () => {
  for (const store of ["token", "secret"] as const) {
    const tokenArn = asked(tokenAccess(units, store), "shop-status");
    const options = { server: "https://api.example", certificateAuthority: "LS0t", tokenArn };
    assert.equal(awsClusterOptions.parse(options).tokenArn, tokenArn);
  }
});
