import * as z from "zod";
import type { Reading, Trigger } from "../../shared/function/trigger.ts";
import { faults, released } from "./notice.ts";

const time = z.iso.datetime({ offset: true });
const text = z.string().min(1).max(1024);

const release = z.object({
  action: text,
  release: z.object({
    tag_name: z.string().min(1).max(256),
    draft: z.boolean(),
    published_at: time.nullish(),
  }),
  repository: z.object({ full_name: text, html_url: z.url() }),
});

const container = z.object({
  name: text,
  namespace: text,
  package_type: text,
  package_version: z.object({
    updated_at: time.nullish(),
    package_url: z.string().max(1024).nullish(),
    container_metadata: z
      .object({
        tag: z
          .object({ name: z.string().max(256).nullish(), digest: z.string().max(256).nullish() })
          .nullish(),
      })
      .nullish(),
  }),
});
const published = z.object({ action: text, package: container });
const registryPublished = z.object({ action: text, registry_package: container });

/**
 * Webhooks of GitHub: releases, and container images of its registry (ghcr.io). The body is signed, its headers are not.
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads
 */
export const github: Trigger = {
  name: "github",
  proof: { signature: "x-hub-signature-256" },
  deliveryHeader: "x-github-delivery",
  late: "refuse",
  // What GitHub's API makes of a webhook that says no content type.
  formField: "payload",
  others: "ignore",
  types: ["package", "ping", "registry_package", "release"],
  typeOf: ({ header }) => header("x-github-event"),
  read(type, { body }) {
    switch (type) {
      case "release": {
        const parsed = release.safeParse(body);
        return parsed.success ? ofRelease(parsed.data) : faults(parsed.error);
      }
      case "package": {
        const parsed = published.safeParse(body);
        return parsed.success ? ofImage(parsed.data.action, parsed.data.package) : faults(parsed.error);
      }
      case "registry_package": {
        const parsed = registryPublished.safeParse(body);
        return parsed.success
          ? ofImage(parsed.data.action, parsed.data.registry_package)
          : faults(parsed.error);
      }
      default:
        return { ignored: "GitHub asks whether anybody is here." };
    }
  },
};

function ofRelease({ action, release: it, repository }: z.output<typeof release>): Reading {
  // `released` and `created` tell of the same one again, drafts are for nobody yet.
  if (it.draft) return { ignored: "A draft is no news before it is published." };
  if (action !== "published") return { ignored: `A release that was ${action} is no news.` };
  const origin = `${new URL(repository.html_url).host}/${repository.full_name}`;
  return {
    notices: [
      released({
        origin,
        version: it.tag_name,
        ...(it.published_at != null && { publishedAt: it.published_at }),
      }),
    ],
  };
}

function ofImage(action: string, it: z.output<typeof container>): Reading {
  if (it.package_type.toLowerCase() !== "container")
    return { ignored: `Packages of type ${it.package_type} are no releases here.` };
  const { name: version, digest } = it.package_version.container_metadata?.tag ?? {};
  if ((action !== "published" && action !== "updated") || !version)
    return { ignored: `A package that was ${action}${version ? "" : " without a tag"} is no news.` };
  const host = /^([\w.-]+(?::\d+)?)\//.exec(it.package_version.package_url ?? "")?.[1] ?? "ghcr.io";
  const { updated_at: updatedAt } = it.package_version;
  return {
    notices: [
      released({
        origin: `${host}/${it.namespace}/${it.name}`,
        version,
        ...(digest && { digest }),
        ...(updatedAt != null && { publishedAt: updatedAt }),
      }),
    ],
  };
}
