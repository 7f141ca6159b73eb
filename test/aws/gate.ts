import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "vitest";
import { type Asked, allows, type PolicyStatement } from "./policy.ts";

type Fields = Readonly<Record<string, unknown>>;

const partition = (item: unknown): string =>
  (item as { readonly pk?: { readonly S?: string } } | undefined)?.pk?.S ?? "(none)";

/** The partition keys that a request to the table names. */
function leadingKeys(action: string, body: Fields): readonly string[] {
  const { RequestItems = {}, ExpressionAttributeValues = {} } = body as {
    readonly RequestItems?: Readonly<Record<string, unknown>>;
    readonly ExpressionAttributeValues?: Readonly<Record<string, { readonly S?: string }>>;
  };
  switch (action) {
    case "Query":
      return [ExpressionAttributeValues[":pk"]?.S ?? "(none)"];
    case "PutItem":
      return [partition(body.Item)];
    case "BatchGetItem":
      return Object.values(RequestItems).flatMap((one) =>
        (one as { readonly Keys: unknown[] }).Keys.map(partition),
      );
    case "BatchWriteItem":
      return Object.values(RequestItems).flatMap((all) =>
        (
          all as {
            readonly PutRequest?: { readonly Item: unknown };
            readonly DeleteRequest?: { readonly Key: unknown };
          }[]
        ).map(({ PutRequest, DeleteRequest }) => partition(PutRequest?.Item ?? DeleteRequest?.Key)),
      );
    default:
      return [partition(body.Key)];
  }
}

/** What a request to an emulator asks for, in IAM's words. */
export function askedBy(target: string, body: Fields, resourceOf: (queue: string) => string): Asked {
  const [service = "", action = ""] = target.split(".");
  if (service === "AmazonSQS")
    return {
      action: `sqs:${action.replace(/Batch$/, "")}`,
      resource: resourceOf(String(body.QueueUrl).split("/").at(-1) ?? ""),
    };
  return { action: `dynamodb:${action}`, resource: "StateTable", leadingKeys: leadingKeys(action, body) };
}

export interface Gate {
  readonly url: string;
  /** What was refused: who asked for what. */
  readonly refused: readonly string[];
}

/** Stands before an emulator and refuses what the policy of whoever signed does not allow. */
export async function openGate(
  t: TestContext,
  emulator: string,
  statementsOf: (who: string) => readonly PolicyStatement[],
  resourceOf: (queue: string) => string,
): Promise<Gate> {
  const refused: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const who = /Credential=([^/]+)\//.exec(request.headers.authorization ?? "")?.[1] ?? "nobody";
    const asked = askedBy(
      String(request.headers["x-amz-target"]),
      JSON.parse(body.toString() || "{}") as Fields,
      resourceOf,
    );
    if (!allows(statementsOf(who), asked)) {
      refused.push(`${who}: ${asked.action} ${asked.resource} ${asked.leadingKeys ?? ""}`);
      response.statusCode = 403;
      response.end(
        JSON.stringify({ __type: "AccessDeniedException", message: "The role does not allow it." }),
      );
      return;
    }
    const { host: _, connection: __, "content-length": ___, ...headers } = request.headers;
    try {
      const answer = await fetch(`${emulator}${request.url}`, {
        method: request.method ?? "POST",
        headers: headers as Record<string, string>,
        body,
      });
      const content = Buffer.from(await answer.arrayBuffer());
      response.statusCode = answer.status;
      for (const [name, value] of answer.headers)
        if (!["connection", "transfer-encoding", "content-length", "keep-alive"].includes(name))
          response.setHeader(name, value);
      response.end(content);
    } catch (thrown) {
      // The emulator is gone: so is whoever stands before it.
      response.destroy(thrown instanceof Error ? thrown : undefined);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, refused };
}
