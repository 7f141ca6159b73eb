import { Names } from "./names.ts";

/** The part of a function's declaration that decides about its rights on the bus. */
export interface DeclaredFunction {
  readonly name: string;
  /** Event types that it emits, and those that wake it. */
  readonly emits: readonly { readonly id: string }[];
  readonly wakes: readonly { readonly event?: { readonly id: string } | undefined }[];
}

/** The subjects that one user may publish and subscribe to, and the place where its answers arrive. */
export interface UserPermissions {
  readonly user: string;
  /** The setting `bus.nats.inbox` of whoever connects as this user: an inbox that others can read is no border. */
  readonly inbox: string;
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

export interface NatsPermissions {
  /** The watcher, and whatever else publishes events: ingress, triggers. It makes the streams. */
  readonly watcher: UserPermissions;
  /** One user a function: it can neither read nor finish another's work. */
  readonly functions: Readonly<Record<string, UserPermissions>>;
  /** A person at the command line: reads all, redrives and drops. */
  readonly operator: UserPermissions;
}

/**
 * The least that each role needs, from the declarations of an installation's functions.
 * @param options.commands the name under which commands are carried out: a user like a function's, which may do more
 */
export function natsPermissions(
  declarations: readonly DeclaredFunction[],
  options: { readonly prefix?: string | undefined; readonly commands?: string | undefined } = {},
): NatsPermissions {
  const names = new Names(options.prefix ?? "reveille");
  const commands = options.commands === undefined ? [] : [{ name: options.commands, emits: [], wakes: [] }];
  const all = [...declarations, ...commands];
  return {
    watcher: watcher(names, all),
    functions: Object.fromEntries([
      ...declarations.map((declaration) => [declaration.name, worker(names, declaration, all)]),
      ...commands.map((one) => [one.name, carrier(names, worker(names, one, all))]),
    ]),
    operator: operator(names),
  };
}

const streamsOf = ({ work, state, waits, history }: Names): readonly string[] => [
  work,
  state,
  waits,
  history,
];
const api = (call: string): string => `$JS.API.${call}`;

const consumersOf = (names: Names, name: string) =>
  (["urgent", "sweep", "due"] as const).map((sort) => names.consumer(name, sort));

function userOf(names: Names, role: string): Pick<UserPermissions, "user" | "inbox"> {
  const user = `${names.prefix}-${role}`;
  return { user, inbox: `_INBOX.${user}` };
}

function watcher(names: Names, all: readonly DeclaredFunction[]): UserPermissions {
  const { prefix, work, state, waits } = names;
  const of = userOf(names, "watcher");
  return {
    ...of,
    publish: [
      ...streamsOf(names).flatMap((stream) =>
        ["INFO", "CREATE", "UPDATE"].map((call) => api(`STREAM.${call}.${stream}`)),
      ),
      api(`STREAM.MSG.DELETE.${work}`),
      // Before there is a worker, what scales workers must see the backlog.
      ...all.flatMap(({ name }) =>
        consumersOf(names, name).flatMap(({ stream, name: consumer, filter }) => [
          api(`CONSUMER.INFO.${stream}.${consumer}`),
          api(`CONSUMER.CREATE.${stream}.${consumer}.${filter}`),
        ]),
      ),
      // What waits is read before it is replaced, so that no cause is lost.
      api(`DIRECT.GET.${work}.${prefix}.w.>`),
      api(`DIRECT.GET.${waits}`),
      // For the metrics of all functions; a worker tells its own backlog.
      api(`DIRECT.GET.${work}`),
      api(`DIRECT.GET.${state}`),
      api(`STREAM.MSG.GET.${waits}`),
      `${prefix}.w.>`,
      // Refused events stand among the dead letters.
      `${prefix}.x.-.*`,
      names.events,
    ],
    // What is waited for is heard as hosts write it.
    subscribe: [`${of.inbox}.>`, `${prefix}.v.>`],
  };
}

function worker(
  names: Names,
  declaration: DeclaredFunction,
  all: readonly DeclaredFunction[],
): UserPermissions {
  const { prefix, work, state, history } = names;
  const { name } = declaration;
  const of = userOf(names, name);
  const emitted = new Set(declaration.emits.map(({ id }) => id));
  const woken = all.filter(
    (other) =>
      other.name !== name && other.wakes.some(({ event }) => event !== undefined && emitted.has(event.id)),
  );
  const consumers = consumersOf(names, name);
  return {
    ...of,
    publish: [
      ...streamsOf(names).map((stream) => api(`STREAM.INFO.${stream}`)),
      ...consumers.flatMap(({ stream, name: consumer, filter }) => [
        api(`CONSUMER.INFO.${stream}.${consumer}`),
        api(`CONSUMER.CREATE.${stream}.${consumer}.${filter}`),
        api(`CONSUMER.MSG.NEXT.${stream}.${consumer}`),
        `$JS.ACK.${stream}.${consumer}.>`,
        `$JS.ACK.*.*.${stream}.${consumer}.>`,
      ]),
      api(`DIRECT.GET.${state}.${prefix}.x.${name}.*`),
      api(`DIRECT.GET.${history}.${prefix}.y.*`),
      // What was told while it ran of the objects that it waits for from then on.
      api(`DIRECT.GET.${history}`),
      api(`STREAM.MSG.GET.${history}`),
      // Its own work, and that of the functions which its events wake: what it sends takes the place of what waits.
      ...[declaration, ...woken].flatMap((other) => [
        api(`DIRECT.GET.${work}.${prefix}.w.${other.name}.*.*`),
        `${prefix}.w.${other.name}.*.*`,
      ]),
      `${prefix}.x.${name}.*`,
      `${prefix}.v.${name}.*`,
      `${prefix}.o.${name}.*`,
      names.runsOf(name),
      `${prefix}.y.*`,
      ...(emitted.size > 0 ? [names.events] : []),
    ],
    subscribe: [`${of.inbox}.>`, `${prefix}.o.${name}.*`],
  };
}

/**
 * Adds the rights to carry out commands: to look up what was done before, enqueue for every function, and take dead letters out.
 */
function carrier(names: Names, own: UserPermissions): UserPermissions {
  const { prefix, work, state, history } = names;
  return {
    ...own,
    publish: [
      ...own.publish,
      api(`DIRECT.GET.${history}`),
      api(`DIRECT.GET.${work}.${prefix}.w.>`),
      api(`DIRECT.GET.${state}.${prefix}.x.>`),
      `${prefix}.w.>`,
      // A refused event that is accepted now leaves the dead letters.
      `${prefix}.x.-.*`,
      names.events,
    ],
  };
}

function operator(names: Names): UserPermissions {
  const { prefix } = names;
  const of = userOf(names, "operator");
  return {
    ...of,
    publish: [
      ...streamsOf(names).flatMap((stream) => [
        api(`STREAM.INFO.${stream}`),
        api(`DIRECT.GET.${stream}`),
        api(`DIRECT.GET.${stream}.>`),
      ]),
      `${prefix}.w.>`,
      `${prefix}.x.>`,
      names.events,
    ],
    subscribe: [`${of.inbox}.>`],
  };
}

/**
 * The users as a part of nats-server's configuration. Each takes its password from a variable of the server's environment,
 * `REVEILLE_WATCHER_PASSWORD`, so that none stands in the file.
 */
export function natsUsers({ watcher: first, functions, operator: last }: NatsPermissions): string {
  const list = (subjects: readonly string[], indent: string): string =>
    subjects.map((subject) => `${indent}${JSON.stringify(subject)}`).join("\n");
  const users = [first, ...Object.values(functions), last].map(({ user, publish, subscribe }) =>
    [
      "    {",
      `      user: ${JSON.stringify(user)}`,
      `      password: $${variableOf(user)}`,
      "      permissions {",
      `        publish { allow: [\n${list(publish, "          ")}\n        ] }`,
      `        subscribe { allow: [\n${list(subscribe, "          ")}\n        ] }`,
      "        allow_responses: true",
      "      }",
      "    }",
    ].join("\n"),
  );
  return `authorization {\n  users: [\n${users.join("\n")}\n  ]\n}\n`;
}

/** The variable of the server's environment that holds a user's password. */
export const variableOf = (user: string): string =>
  `${user.replace(/[^A-Za-z0-9]/g, "_").toUpperCase()}_PASSWORD`;
