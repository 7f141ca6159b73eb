import assert from "node:assert/strict";
import { it } from "vitest";
import { completeEvent, parseEvent } from "../../events/index.ts";
import { readByHand } from "../../infra/hosts/lambda/index.ts";
import { blocksOf, tableOf, textOf } from "./pages.ts";

/** Names of the same form that only narrow a right down. */
const CONDITIONS = ["dynamodb:LeadingKeys", "iam:PassedToService"];

/** The actions that a text names. */
const actionsIn = (text: string): readonly string[] =>
  [
    ...new Set(
      [...text.matchAll(/\b(?:sqs|dynamodb|scheduler|iam|logs|ssm|secretsmanager|lambda|kms):[A-Z]\w+/g)].map(
        ([one]) => one,
      ),
    ),
  ].sort();

it("docs/run-on-aws.md tells every right that the deployment grants, and no other", () => {
  const granted = ["resources", "access-eks", "access-token", "access-secret"].map((name) =>
    textOf(`infra/deploy/aws/generated/${name}.yml`),
  );
  const told = tableOf("docs/run-on-aws.md", "who", "may", "on").flat();
  assert.deepEqual(
    actionsIn(told.join("\n")),
    actionsIn(granted.join("\n")).filter((action) => !CONDITIONS.includes(action)),
  );
});

it("docs/run-on-aws.md names each alarm that is deployed", () => {
  const deployed = new Set(
    [
      ...textOf("infra/deploy/aws/generated/resources.yml").matchAll(
        /AlarmName: \S*-(?:workflows-|(?=watcher-))(\S+)$/gm,
      ),
    ].map(([, name]) => name),
  );
  const told = tableOf("docs/run-on-aws.md", "alarm", "means", "look at").map(
    ([name]) => /^`…-(.*)`$/.exec(name ?? "")?.[1],
  );
  assert.deepEqual(told.toSorted(), [...deployed].sort());
});

it("docs/run-on-aws.md shows what a Lambda takes when it is pasted into its console", () => {
  const pasted = blocksOf("docs/run-on-aws.md").filter(({ language }) => language === "json");
  assert.ok(pasted.length >= 1);
  for (const { text } of pasted) {
    const asked = readByHand(JSON.parse(text));
    assert.ok(asked.asks === "run" && asked.dryRun);
    const event = completeEvent(asked.event as object, Date.parse("2026-01-15T10:00:00Z"));
    assert.ok(parseEvent(event).ok, JSON.stringify(parseEvent(event)));
  }
});
