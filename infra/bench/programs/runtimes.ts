// Plays the runtimes of a fleet: one server, each runtime below a path of its own. Prints `ready` with what leads there; its other
// address counts, tells what was applied, has runtimes hang, and makes some copies of the one that MODEL names.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createAuthority } from "../../../shared/tls/index.ts";
import { faces } from "../../local/faces/index.ts";
import { startLocalApis } from "../../local/index.ts";
import { Played } from "../kymas/played.ts";
import { type Copied, ENGINE, USER } from "../kymas/words.ts";

const authority = createAuthority({ commonName: "runtimes" });
const pair = authority.issue({ commonName: "runtimes", serverNames: ["127.0.0.1"] });
const played = new Played(process.env.MODEL ?? "");
const administrators = { groups: ["system:masters"] };
const apis = await startLocalApis({
  pair,
  users: [
    { ...administrators, username: ENGINE, token: ENGINE },
    { ...administrators, username: USER, token: USER },
  ],
  made: (name, kernel) => played.made(name, kernel),
  enter: (name, request, response) => played.enter(name, request, response),
  faces,
});
const control = createServer((request, response) => {
  void (async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const [, word, argument = ""] = (request.url ?? "").split("/");
    if (word === "copy") played.copy(JSON.parse(text) as Copied[]);
    if (word === "hang") played.hang(JSON.parse(text) as string[]);
    const answer = word === "applied" ? played.applied(decodeURIComponent(argument)) : played.counts();
    response.end(JSON.stringify(answer));
  })();
});
control.listen(0, "127.0.0.1", () => {
  const ready = {
    server: `https://127.0.0.1:${apis.port}`,
    ca: authority.certificate,
    control: `http://127.0.0.1:${(control.address() as AddressInfo).port}`,
  };
  process.stdout.write(`ready ${JSON.stringify(ready)}\n`);
});
process.once("SIGTERM", () => process.exit(0));
