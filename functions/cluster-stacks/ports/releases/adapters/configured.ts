import { hash } from "node:crypto";
import type { Clock } from "../../../../../shared/clock/clock.ts";
import { systemClock } from "../../../../../shared/clock/clock.ts";
import { registryOf, SecretFault, secretIn } from "../../../../../shared/oci/configured.ts";
import type { RepositorySettings } from "../../../../../shared/oci/settings.ts";
import type { Fetch } from "../../../../../shared/requests/exchange.ts";
import type { Asking, Releases, SourceCredentials, SourceFailure } from "../contract.ts";
import { failed } from "./failure.ts";
import { folderReleases } from "./folder.ts";
import { githubReleases } from "./github.ts";
import { ociReleases } from "./oci.ts";
import { paced } from "./paced.ts";

/** A source as the configuration names it: one of the three. */
export interface ConfiguredSource {
  /** The folder that holds a folder for each release. */
  readonly folder?: string | undefined;
  readonly github?:
    | {
        readonly repository: string;
        readonly api?: string | undefined;
        readonly tokenFile?: string | undefined;
      }
    | undefined;
  readonly oci?: RepositorySettings | undefined;
  /** Present: it is asked with the credentials of a Secret, which come along with each question. */
  readonly secretName?: string | undefined;
}

/** The outside of the sources. */
export interface SourcesOutside {
  readonly clock?: Clock;
  readonly fetch?: Fetch;
}

/** The sources of the configuration, each by its name. None is asked before it may be. */
export function configuredReleases(
  sources: Readonly<Record<string, ConfiguredSource>>,
  { clock = systemClock, fetch = globalThis.fetch }: SourcesOutside = {},
): Releases {
  const outside = { clock, fetch };
  const adapters = new Map(
    Object.entries(sources).map(([name, source]) => [
      name,
      source.secretName === undefined
        ? alone(adapterOf(name, source, outside))
        : byCredentials(name, source, outside),
    ]),
  );
  const ask = async <Answer>(
    source: string,
    { notBefore, credentials }: Asking,
    question: (adapter: Releases) => Promise<Answer>,
  ): Promise<Answer | SourceFailure | { readonly state: "not due" }> => {
    const adapter = adapters.get(source);
    if (adapter === undefined)
      return {
        state: "failed",
        reason: "unknown source",
        message: `no source ${source} is configured: add it to sources`,
      };
    if (notBefore !== undefined && clock.now() < Date.parse(notBefore)) return { state: "not due" };
    try {
      return await question(adapter(credentials));
    } catch (error) {
      if (error instanceof SecretFault) return failed("refused", `source ${source}: ${error.message}`);
      throw error;
    }
  };
  return {
    list: (source, asking = {}) => ask(source, asking, (adapter) => adapter.list(source, asking)),
    open: (source, tag, asking = {}) => ask(source, asking, (adapter) => adapter.open(source, tag, asking)),
  };
}

type Adapter = (credentials: SourceCredentials | undefined) => Releases;
const alone =
  (releases: Releases): Adapter =>
  () =>
    releases;

/** The most credentials of one source whose answers are remembered. */
const MOST_CREDENTIALS = 64;

/** A source for each of its credentials: nobody is told what others may see, and who has new ones is not told what the old ones saw. */
function byCredentials(name: string, source: ConfiguredSource, outside: Required<SourcesOutside>): Adapter {
  const known = new Map<string, Releases>();
  return (credentials) => {
    if (credentials === undefined)
      throw new SecretFault(`it is asked with the Secret ${source.secretName ?? ""} of a namespace alone`);
    const id = hash("sha256", JSON.stringify(credentials), "hex");
    const releases = known.get(id) ?? adapterOf(name, source, outside, credentials);
    known.delete(id);
    known.set(id, releases);
    const [oldest] = known.keys();
    if (known.size > MOST_CREDENTIALS && oldest !== undefined) known.delete(oldest);
    return releases;
  };
}

function adapterOf(
  name: string,
  { folder, github, oci }: ConfiguredSource,
  { clock, fetch }: Required<SourcesOutside>,
  credentials?: SourceCredentials,
): Releases {
  if (github !== undefined) {
    const { tokenFile, ...rest } = github;
    const given = credentials !== undefined && "token" in credentials ? credentials.token : undefined;
    const token = async () => given ?? (tokenFile === undefined ? undefined : secretIn(tokenFile));
    return paced(githubReleases(name, { ...rest, token, clock, fetch }), clock);
  }
  if (oci !== undefined) {
    return paced(ociReleases(name, registryOf(oci, { clock, fetch }, credentials)), clock);
  }
  if (folder !== undefined) return folderReleases(folder);
  throw new TypeError(`source ${name} names no folder, no GitHub and no registry`);
}
