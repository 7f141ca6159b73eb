import {
  type Effect,
  type Effects,
  note,
  type Obj,
  own,
  patch,
  type Results,
  remove,
  type Time,
  type Wait,
} from "../../../../shared/function/index.ts";
import {
  type ClusterStack,
  ClusterStackRelease,
  type ClusterStackSpec,
  ProviderObject,
} from "../../kinds/index.ts";
import { dottedVersion, type ReleaseName, releaseOfTag, sameStack, tagOf } from "../names/index.ts";
import { DEFAULT_SOURCE } from "../source/index.ts";
import { isOfChannel, latestOf, stackOf } from "./offer.ts";
import { providerReference, providerRelease, type TemplatePlace } from "./provider-release.ts";
import { type NamedRelease, type StackFindings, stackStatus } from "./status.ts";
import { type ExistingRelease, wantedReleases } from "./wanted.ts";

type Stack = Obj<typeof ClusterStack>;

/** The template of a stack's provider. */
export type Template =
  | { readonly state: "none" }
  | { readonly state: "refused"; readonly message: string }
  | { readonly state: "missing"; readonly place: TemplatePlace }
  | { readonly state: "found"; readonly place: TemplatePlace; readonly object: Obj<typeof ProviderObject> };

/** All that a decision about a stack rests on. */
export interface StackWorld {
  readonly existing: readonly Obj<typeof ClusterStackRelease>[];
  /** Read where one of them would go otherwise. */
  readonly inUse: readonly ReleaseName[];
  readonly template: Template;
}

const { missing, failed } = {
  missing: "ProviderTemplateNotFound",
  failed: "FailedToCreateOrUpdate",
} as const;

/**
 * Decides what becomes of the releases of a stack, and what its status says (4.1). All of them bear the labels by which this program knows
 * its own.
 */
export function stackPass(
  self: Stack,
  spec: ClusterStackSpec,
  world: StackWorld,
  { now, labels }: { readonly now: Time; readonly labels: Readonly<Record<string, string>> },
) {
  const { template } = world;
  const existing = named(world.existing, spec);
  const listing = self.status?.listing;
  const { inSpec, refused } = versionsOf(spec);
  const wanted = wantedReleases(existing.map(existingRelease), {
    inSpec,
    inUse: world.inUse,
    latest: latestOf(spec, listing),
  });
  const going = existing.filter(({ name }) => wanted.remove.has(tagOf(name)));
  const kept = existing.filter(({ name }) => wanted.keep.has(tagOf(name)));
  // Without its template nobody could make the images: a release that nobody can finish is not begun.
  const canCreate = template.state === "none" || template.state === "found";
  const removed = going.map(({ name, object }) => ({
    tag: tagOf(name),
    // Whoever begins to use it changes it no more than a Cluster does: the finalizer looks once more.
    effect: remove(ClusterStackRelease, object, { unchanged: true }),
  }));
  const created = (canCreate ? wanted.create : []).map((name) => ({
    tag: tagOf(name),
    effect: own(
      self,
      ClusterStackRelease,
      releaseBody(name, { spec, template, labels }, self.metadata.namespace),
      {
        controller: false,
      },
    ),
  }));
  const provided =
    template.state === "found" ? kept.map((release) => providerEffect(self, release, template)) : [];
  const changed = [
    ...kept.flatMap(({ object }) => changesOf(object, labels, spec.source)),
    ...going.flatMap(({ object }) => changesOf(object, labels)),
  ];
  const effects: Effects<"ClusterStackRelease" | "provider-object"> = [
    changed,
    removed.map(({ effect }) => effect),
    created.map(({ effect }) => effect),
    provided,
  ];
  return {
    effects,
    conclude: (results: Results) => {
      const releases = [
        ...refused,
        ...[...created, ...removed].flatMap(({ tag, effect }) => {
          const result = results(effect);
          return result.state === "failed" ? [`${tag}: ${result.error.message}`] : [];
        }),
      ];
      const findings: StackFindings = {
        spec,
        listing,
        existing,
        wanted,
        provider: providerFault(template, results, provided),
        releases: releases.length === 0 ? undefined : releases.join("; "),
      };
      return {
        status: stackStatus(findings, self.status?.conditions, now),
        record: [
          created.flatMap(({ tag, effect }) => {
            const result = results(effect);
            if (result.state === "failed" && !result.error.retryable) {
              const message = `${tag}: ${result.error.message}`;
              return [note(self, "Warning", "ErrorCreatingClusterStackRelease", message, tag)];
            }
            return result.state === "done" && result.changed
              ? [note(self, "Normal", "ClusterStackReleaseCreated", `created the release ${tag}`, tag)]
              : [];
          }),
          provided.flatMap((effect) => {
            const result = results(effect);
            return result.state === "done" && result.changed && result.value !== undefined
              ? [providerNote(self, result.value)]
              : [];
          }),
          removed.flatMap(({ tag, effect }) => {
            const result = results(effect);
            return result.state === "failed" && !result.error.retryable
              ? [
                  note(
                    self,
                    "Warning",
                    "FailedToDeleteClusterStackRelease",
                    `${tag}: ${result.error.message}`,
                    tag,
                  ),
                ]
              : [];
          }),
        ],
        waitingFor: templateWaits(template),
        // A new release's provider object has the release for its owner.
        again: created.length > 0,
        retry: results.failed.some(({ error }) => error.retryable),
      };
    },
  };
}

/**
 * Brings a release of before up to date: its labels, and where its assets are looked for.
 * @param source absent: it is left as it is
 */
function changesOf(
  object: Obj<typeof ClusterStackRelease>,
  labels: Readonly<Record<string, string>>,
  source?: string,
): readonly Effect<"ClusterStackRelease">[] {
  const isLabelled = Object.entries(labels).every(
    ([label, value]) => object.metadata.labels[label] === value,
  );
  const isMoved = source !== undefined && source !== (object.spec?.source ?? DEFAULT_SOURCE);
  return isLabelled && !isMoved
    ? []
    : [
        patch(ClusterStackRelease, object, {
          ...(!isLabelled && { labels }),
          ...(isMoved && { engine: { source } }),
        }),
      ];
}

/** True where a release goes unless somebody else than those that are known uses it. */
export function asksForUsers(
  { status }: Stack,
  spec: ClusterStackSpec,
  releases: StackWorld["existing"],
  inUse: readonly ReleaseName[] = [],
): boolean {
  const { inSpec } = versionsOf(spec);
  const latest = latestOf(spec, status?.listing);
  return (
    wantedReleases(named(releases, spec).map(existingRelease), { inSpec, inUse, latest }).remove.size > 0
  );
}

const existingRelease = ({ name, object }: NamedRelease): ExistingRelease => ({
  name,
  version: name.version,
  publishedAt: object.status?.publishedAt,
  ready: object.status?.ready === true,
  deleting: object.metadata.deletionTimestamp !== undefined,
});

/** The releases whose names belong to the stack: whatever else somebody gave it is left alone. */
const named = (
  releases: readonly Obj<typeof ClusterStackRelease>[],
  spec: ClusterStackSpec,
): readonly NamedRelease[] =>
  releases.flatMap((object) => {
    const name = releaseOfTag(object.metadata.name);
    return name !== undefined && sameStack(name, stackOf(spec)) ? [{ name, object }] : [];
  });

/** The releases that the spec names, and what of it names none. */
function versionsOf(spec: ClusterStackSpec): {
  readonly inSpec: readonly ReleaseName[];
  readonly refused: readonly string[];
} {
  const read = (spec.versions ?? []).map((text) => ({ text, version: dottedVersion(text) }));
  const named = read.flatMap(({ text, version }) =>
    version === undefined ? [] : [{ text, release: { ...stackOf(spec), version } }],
  );
  return {
    inSpec: named.flatMap(({ release }) => (isOfChannel(release, spec.channel) ? [release] : [])),
    refused: [
      ...read.flatMap(({ text, version }) =>
        version === undefined ? [`spec.versions: ${text} is no version: v1, or v1-label.patch`] : [],
      ),
      ...named.flatMap(({ text, release }) =>
        isOfChannel(release, spec.channel)
          ? []
          : [`spec.versions: ${text} is not of the channel ${spec.channel}`],
      ),
    ],
  };
}

function releaseBody(
  name: ReleaseName,
  {
    spec,
    template,
    labels,
  }: {
    readonly spec: ClusterStackSpec;
    readonly template: Template;
    readonly labels: Readonly<Record<string, string>>;
  },
  namespace: string,
) {
  const tag = tagOf(name);
  return {
    metadata: { name: tag, labels },
    spec: {
      source: spec.source,
      ...(template.state === "found" && {
        providerRef: providerReference(template.place.release, tag, namespace),
      }),
    },
  };
}

const providerEffect = (
  stack: Stack,
  { name, object }: NamedRelease,
  template: Extract<Template, { readonly state: "found" }>,
) =>
  own(object, ProviderObject, providerRelease(template.object, stack, template.place.release, tagOf(name)), {
    force: true,
  });

/** The Event about a provider's object that was written, in upstream's words. */
function providerNote(stack: Stack, { kind, metadata: { name, generation } }: Obj<typeof ProviderObject>) {
  const [reason, done] =
    generation === 1
      ? (["CreateProviderStackRelease", "created"] as const)
      : (["UpdateProviderStackRelease", "updated"] as const);
  return note(stack, "Normal", reason, `${done} ${kind} ${name}`, name);
}

function providerFault(
  template: Template,
  results: Results,
  provided: readonly ReturnType<typeof providerEffect>[],
): StackFindings["provider"] {
  if (template.state === "refused") return { isError: true, reason: missing, message: template.message };
  if (template.state === "missing") {
    const { kind, name } = template.place.template;
    return { isError: true, reason: missing, message: `${kind} ${name} is not there` };
  }
  const [fault] = results.within(provided).failed;
  return fault && { isError: false, reason: failed, message: fault.error.message };
}

/** It is followed for good: what it says reaches the provider's objects at once. */
const templateWaits = (template: Template): readonly Wait[] =>
  template.state === "missing" || template.state === "found"
    ? [
        {
          for: `${template.place.template.kind} ${template.place.template.name} to change`,
          object: template.place.template,
        },
      ]
    : [];
