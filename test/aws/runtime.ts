// A Lambda in a process of its own: an event source mapping drains its queue, and what comes by IPC is an invocation by hand.
import { pathToFileURL } from "node:url";
import { SQSClient } from "@aws-sdk/client-sqs";
import { messageOf } from "../../shared/errors.ts";
import type { LambdaHandler } from "../../shared/host/lambda/index.ts";
import { contextOf, type Invocation, turn } from "../lambda/event-source-mapping.ts";

const LIMITS = { visibilitySeconds: 90, timeLimit: 60_000 } as const;
const [file = "", queue = ""] = process.argv.slice(2);
const { handler } = (await import(pathToFileURL(file).href)) as {
  readonly handler: LambdaHandler<unknown, unknown>;
};
const endpoint = process.env.REVEILLE_BUS_SQS_ENDPOINT ?? "";
const client = new SQSClient({ endpoint, region: "us-east-1", useQueueUrlAsEndpoint: false });

process.on("message", (event: unknown) => {
  handler(event, contextOf(LIMITS.timeLimit)).then(
    (answer) => process.send?.({ answer }),
    (thrown: unknown) => process.send?.({ error: messageOf(thrown) }),
  );
});
process.send?.({ answer: "ready" });
// The queue itself waits for messages, as long as its attributes say.
for (;;) await turn(client, queue, handler as Invocation, LIMITS);
