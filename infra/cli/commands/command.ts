import { randomUUID } from "node:crypto";
import { userInfo } from "node:os";
import { Command } from "commander";
import type { Envelope } from "../../../events/index.ts";
import type { ConfigOption, OutputOption, StateOption } from "../../../shared/function/command.ts";
import { CliError, UsageError } from "../../../shared/function/command-errors.ts";
import {
  type ServerOptions,
  withBusChoice,
  withExamples,
  withExamplesBelow,
  withOutput,
  withServer,
} from "../options.ts";
import { outputFormat, printAs } from "../output.ts";

interface SendOptions extends ConfigOption, OutputOption, ServerOptions, StateOption {
  readonly reason?: string;
  readonly as?: string;
}
interface TargetOptions extends SendOptions {
  readonly namespace?: string;
  readonly function?: string;
  readonly key?: string;
  readonly kind?: string;
}

const object = "an object, as KIND/NAME";

/** `reveille command`: asks what runs to do something. */
export function command(): Command {
  const parent = withExamples(
    new Command("command").description("ask what runs to do something: look again, pause, resume, redrive"),
    [
      ["Look at one object again", "reveille command reconcile widget/one -n team-a"],
      [
        "Leave a function alone, and say why",
        'reveille command pause --function widget --reason "maintenance"',
      ],
      [
        "Ask a server elsewhere",
        "reveille command resume --function widget --server https://reveille.example.org --token-file token",
      ],
    ],
  );
  parent.addCommand(
    ofTarget(
      new Command("reconcile").description("look again at an object, a function's keys, or all of a kind"),
    )
      .option("--key <key>", "one key of --function")
      .option("--kind <kind>", "all of this kind")
      .action(reconcile),
  );
  for (const [name, description] of [
    ["pause", "leave an object or a function alone until it is resumed"],
    ["resume", "end a pause"],
  ] as const)
    parent.addCommand(
      ofTarget(new Command(name).description(description)).action(
        (what: string | undefined, options: TargetOptions) => pause(`command.${name}`, what, options),
      ),
    );
  parent.addCommand(
    sending(new Command("redrive").description("take a key out of the dead letters and look at it now"))
      .argument("<function>", "its function; - for a refused event")
      .argument("<key>", "its key, as `reveille dead-letters list -o json` prints it")
      .action((name: string, key: string, options: SendOptions) =>
        send("command.redrive", { function: name, key }, options),
      ),
  );
  parent.addCommand(
    sending(
      new Command("recheck-release").description("wake whoever a publication of this release would wake"),
    )
      .argument("<origin>", "the place where it is published, for example github.com/owner/repository")
      .argument("<version>", "its version")
      .action((origin: string, version: string, options: SendOptions) =>
        send("command.recheck-release", { origin, version }, options),
      ),
  );
  return withExamplesBelow(parent, {
    reconcile: [
      ["One object, by every function that is about it", "reveille command reconcile widget/one -n team-a"],
      ["All keys of a function", "reveille command reconcile --function widget"],
    ],
    pause: [
      ["A function, and say why", 'reveille command pause --function widget --reason "maintenance"'],
      ["One object", "reveille command pause widget/one -n team-a"],
    ],
    resume: [["A function", "reveille command resume --function widget"]],
    redrive: [
      [
        "A key that failed for good",
        "reveille command redrive widget local/bench.example.org/Widget/default/one",
      ],
    ],
    "recheck-release": [
      ["A release on GitHub", "reveille command recheck-release github.com/example/chart 1.4.0"],
    ],
  });
}

const sending = (sub: Command): Command =>
  withOutput(
    withServer(
      withBusChoice(
        sub
          .option("--reason <text>", "why, for whoever reads the history later")
          .option("--as <name>", "the name of the caller (default: this user's)"),
      ),
    ),
  );

const ofTarget = (sub: Command): Command =>
  sending(sub)
    .argument("[object]", object)
    .option("-n, --namespace <name>", "the object's namespace (default: default)")
    .option("--function <name>", "this function");

async function reconcile(what: string | undefined, options: TargetOptions): Promise<void> {
  const { function: name, key, kind } = options;
  if (key !== undefined && name === undefined)
    throw new UsageError("--key is one of a function: name --function too.");
  if ([what, key, kind].filter((one) => one !== undefined).length > 1)
    throw new UsageError("Name one of: an object, --key, --kind.");
  if (what === undefined && name === undefined && kind === undefined)
    throw new UsageError("Name an object (KIND/NAME), --function or --kind.");
  const meant = what === undefined && kind === undefined ? {} : await targetOf(what, options);
  await send(
    "command.reconcile",
    { ...meant, ...(name && { function: name }), ...(key && { key }) },
    options,
  );
}

async function pause(type: string, what: string | undefined, options: TargetOptions): Promise<void> {
  const { function: name } = options;
  if ((what === undefined) === (name === undefined))
    throw new UsageError("Name either an object (KIND/NAME) or --function.");
  await send(type, what === undefined ? { function: name } : await targetOf(what, options), options);
}

async function targetOf(what: string | undefined, options: TargetOptions): Promise<object> {
  const { namespace, kind } = options;
  const [{ kindsMeant }, { kindMeant, objectMeant }] = await Promise.all([
    import("../ask/run-systems.ts"),
    import("../ask/target.ts"),
  ]);
  const kinds = await kindsMeant(options);
  if (what !== undefined) return { object: objectMeant(what, namespace, kinds) };
  const { group, kind: name } = kindMeant(kind ?? "", kinds);
  return { kind: { group, kind: name } };
}

async function send(type: string, payload: object, options: SendOptions): Promise<void> {
  const format = outputFormat(options.output);
  const { sendCommand } = await import("../ask/send.ts");
  const event: Envelope = {
    specversion: "1.0",
    id: randomUUID(),
    type,
    source: "/reveille/command",
    time: new Date().toISOString(),
    datacontenttype: "application/json",
    data: {
      ...payload,
      askedBy: options.as ?? userInfo().username,
      ...(options.reason !== undefined && { reason: options.reason }),
    },
  };
  const sent = await sendCommand(event, options);
  if (sent.state === "refused") throw new CliError("CLI_COMMAND_REFUSED", sent.message ?? "It was refused.");
  printAs(format, sent, () =>
    [`${type.replace("command.", "")} ${sent.state}`, sent.message].filter(Boolean).join(": "),
  );
}
