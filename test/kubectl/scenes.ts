import { configMap, crontab, deployment } from "./objects.ts";
import type { Outcome, Scene } from "./two-servers.ts";

/** What is not valid, not known or not there is refused in the same words. */
export const mistakes: Scene = async (same) => {
  await same("create -f -", {
    stdin: { ...crontab("c"), spec: { image: "i", unheardOf: 1, other: { x: 1 } } },
  });
  await same("create --validate=warn -f -", {
    stdin: { ...crontab("w"), spec: { image: "i", unheardOf: 1 } },
  });
  await same("create --validate=ignore -f -", {
    stdin: { ...crontab("i"), spec: { image: "i", unheardOf: 1 } },
  });
  await same("create -f -", { stdin: { ...crontab("c"), spec: { image: 3, mode: true } } });
  await same("create -f -", { stdin: { ...crontab("c"), spec: { replicas: 99, mode: "Sideways" } } });
  await same("create -f -", { stdin: { ...crontab("c"), metadata: { name: "Bad_Name" } } });
  await same("create -f -", {
    stdin: { ...crontab("c"), metadata: { name: "c", labels: { "a b": "c d" } } },
  });
  await same("create -f -", {
    stdin: { ...deployment("d"), spec: { ...deployment("d").spec, replica: 3 } },
  });
  await same("create -f -", { stdin: deployment("d", {}, { replicas: -1 }) });
  await same("create -f -", {
    stdin: deployment("d", {}, { selector: { matchLabels: { app: "other" } } }),
  });
  await same("create -f -", {
    stdin: { apiVersion: "test.example.org/v9", kind: "CronTab", metadata: { name: "x" } },
  });
  await same("create -f -", {
    stdin: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x" }, data: { "a/b": "c" } },
  });
  const [doubled] = deployment("d").spec.template.spec.containers;
  const containers = (list: readonly unknown[]): object => ({
    template: { metadata: { labels: { app: "d" } }, spec: { containers: list } },
  });
  await same("create -f -", { stdin: deployment("d", {}, containers([doubled, doubled])) });
  await same("create -f - -o name", {
    stdin: deployment(
      "twice",
      {},
      {
        selector: { matchLabels: { app: "d" } },
        ...containers([
          {
            ...doubled,
            env: [
              { name: "A", value: "1" },
              { name: "A", value: "2" },
            ],
          },
        ]),
      },
    ),
    // Only the real server warns that the later one hides the other.
    view: ({ status, stdout }) => [status, stdout],
  });
  await same("create -n nowhere-at-all -f -", { stdin: configMap("x") });
  await same("create -f -", { stdin: "kind: [" });
};

/** What the server says of itself. */
export const explanations: Scene = async (same) => {
  // Descriptions are our own words; names, types and what is required are the API's.
  const fields = ({ status, stdout }: Outcome): unknown => [
    status,
    stdout
      .split("\n")
      .filter((line) => /^ ?\S+ <\S+>( -required-)?$/.test(line) || /^(GROUP|KIND|VERSION|FIELD)/.test(line)),
  ];
  for (const what of [
    "deployment",
    "deployment.spec",
    "deployment.spec.template.spec.containers",
    "pod.spec",
    "pod.spec.containers.resources",
    "configmap",
    "crontab",
    "crontab.spec",
    "service.spec.ports",
    "job.spec",
    "lease.spec",
    "namespace.metadata",
  ])
    await same(`explain ${what}`, { view: fields });
  await same("explain crontab --recursive", {
    view: ({ stdout }) => stdout.slice(stdout.indexOf(" spec")),
  });
  await same("explain crontab.spec.nothing");
  await same("explain nothing");
  for (const group of [
    "apps",
    "batch",
    "test.example.org",
    "coordination.k8s.io",
    "rbac.authorization.k8s.io",
    "apiextensions.k8s.io",
    "events.k8s.io",
    "policy",
  ])
    await same(`api-resources --api-group=${group} -o wide`);
  await same("api-resources --categories=all --no-headers --api-group=apps");
  await same("api-versions", {
    view: ({ stdout }) => stdout.split("\n").filter((line) => /^(v1|apps|batch|test|events)/.test(line)),
  });
};
