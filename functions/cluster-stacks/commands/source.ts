import { type Command, Option } from "commander";
import { CliError, UsageError } from "../../../shared/function/command-errors.ts";
import { type Configuration, sourceSettings } from "../configuration.ts";
import { namespacedReleases, type SourceOf } from "../decide/source/index.ts";
import { configuredReleases } from "../ports/releases/adapters/index.ts";
import type { OpenedRelease, Opening, Releases, SourceFailure } from "../ports/releases/index.ts";

/** The flags of a source beside its place. */
export interface SourceOptions {
  readonly api?: string;
  readonly tokenFile?: string;
  readonly username?: string;
  readonly passwordFile?: string;
  readonly plainHttp?: true;
}

/** The name by which the one source of a command is asked. */
const NAME = "default";

/** Adds what a source may want beside its place. */
export const withSource = (command: Command): Command =>
  command
    .option("--token-file <file>", "a token for GitHub or the registry")
    .option("--username <name>", "a user of the registry")
    .option("--password-file <file>", "that user's password")
    .option("--plain-http", "speak to the registry without https")
    .addOption(new Option("--api <url>", "the API of a GitHub of your own"));

/** The sorts of places, and the flags that go with each. */
const SORTS = [
  { sort: "github", pattern: /^github:(.*)$/, flags: { api: "--api", tokenFile: "--token-file" } },
  {
    sort: "oci",
    pattern: /^oci:\/\/(.*)$/,
    flags: {
      tokenFile: "--token-file",
      username: "--username",
      passwordFile: "--password-file",
      plainHttp: "--plain-http",
    },
  },
] as const;
const FLAGS: Readonly<Record<string, string>> = { ...SORTS[0].flags, ...SORTS[1].flags };

/** The settings of a place: `github:owner/name`, `oci://registry/path`, or a folder. @throws UsageError */
export function settingsOf(place: string, options: SourceOptions = {}) {
  if (place === "")
    throw new UsageError("A source is missing: name a folder, github:owner/name or oci://registry/path.");
  const found = SORTS.find(({ pattern }) => pattern.test(place));
  const flags: Readonly<Record<string, string>> = found?.flags ?? {};
  const given = Object.entries(options).filter(([name, value]) => name in FLAGS && value !== undefined);
  const odd = given.flatMap(([name]) => (name in flags ? [] : [FLAGS[name] ?? name]));
  if (odd.length > 0)
    throw new UsageError(
      `${odd.join(", ")}: ${found === undefined ? "a folder" : place} takes no such flag.`,
    );
  const repository = found?.pattern.exec(place)?.[1] ?? "";
  const raw =
    found === undefined ? { folder: place } : { [found.sort]: { repository, ...Object.fromEntries(given) } };
  const { data, error } = sourceSettings.safeParse(raw);
  if (data !== undefined) return data;
  throw new UsageError(
    `${place} is no source: ${error.issues[0]?.message ?? "it cannot be read"}. Name a folder, github:owner/name or oci://registry/path.`,
  );
}

/** One source of releases, by its place. */
export interface Source {
  readonly place: string;
  list(): ReturnType<Releases["list"]>;
  open(tag: string): Promise<Opening>;
}

/** The source at a place. @throws UsageError */
export function sourceAt(place: string, options: SourceOptions = {}): Source {
  const releases = configuredReleases({ [NAME]: settingsOf(place, options) });
  return { place, list: () => releases.list(NAME), open: (tag) => releases.open(NAME, tag) };
}

/**
 * One of the sources that the configuration names, as the objects of a namespace ask it.
 * @param read reads the Secret that may hold its credentials
 */
export function configuredSource(
  of: SourceOf,
  sources: Configuration["sources"],
  read: Parameters<typeof namespacedReleases>[2],
): Source {
  const releases = namespacedReleases(configuredReleases(sources), sources, read);
  return {
    place: `source ${of.source}`,
    list: () => releases.list(of, {}),
    open: (tag) => releases.open(of, tag, {}),
  };
}

/** The sentence of a failure, which knows the source by the place that was typed. */
const told = (place: string, { message }: { readonly message: string }): string =>
  message.replace(`source ${NAME}`, place);

/** The error of a source that gives no answer. */
export const sourceFailed = (place: string, failure: SourceFailure): CliError =>
  new CliError("CLI_STACK_SOURCE_FAILED", `${told(place, failure)}. Look at its place and credentials.`);

/** Opens a release that is there. @throws CliError where it is not, or the source fails */
export async function opened({ place, open }: Source, tag: string): Promise<OpenedRelease> {
  const opening = await open(tag);
  switch (opening.state) {
    case "opened":
      return opening.release;
    case "failed":
      throw sourceFailed(place, opening);
    case "absent":
      throw new CliError(
        "CLI_STACK_NOT_FOUND",
        `${place} has no release ${tag}: \`reveille cluster-stack releases\` lists those that it has.`,
      );
    case "damaged":
      throw new CliError("CLI_STACK_RELEASE_FAULTY", `${tag} cannot be read: ${opening.message}`);
    case "not due":
      throw new TypeError("a source was not asked although nobody asked it to wait");
  }
}
