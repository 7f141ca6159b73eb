import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { configMap, crontab, crontabs, deployment, events } from "./objects.ts";
import { explanations, mistakes } from "./scenes.ts";
import {
  type Outcome,
  type Scene,
  skipWithoutKubectl,
  startTwoServers,
  type TwoServers,
} from "./two-servers.ts";

describe("kubectl sees the same on the local API as on the real server", {
  skip: skipWithoutKubectl() !== false,
}, () => {
  let servers: TwoServers;
  beforeAll(async () => {
    servers = await startTwoServers();
    await servers.both("create -f -", { stdin: crontabs });
    await servers.eventually("get crontabs");
    await servers.eventually("explain crontab");
  });
  afterAll(() => servers.stop());
  /** A story in a namespace of its own. It goes on after a difference, so that one run shows them all. */
  const scene = (name: string, play: Scene): void => {
    const namespace = name.toLowerCase().replace(/[^a-z]+/g, "-");
    it(name, async () => {
      const differences: string[] = [];
      await servers.both(`create namespace ${namespace}`);
      await play(async (command, { view = (outcome: Outcome): unknown => outcome, ...run } = {}) => {
        try {
          await servers.sameView(`-n ${namespace} ${command}`, view, run);
        } catch (error) {
          if (!(error instanceof assert.AssertionError)) throw error;
          differences.push(error.message);
        }
      }, namespace);
      assert.equal(differences.join("\n"), "");
    });
  };

  scene("creates from flags", async (same) => {
    await same("create namespace by-flag");
    await same("create namespace by-flag");
    await same("create configmap a --from-literal=x=1 --from-literal=y=");
    await same("get configmap a -o yaml");
    await same("create secret generic s --from-literal=x=1");
    await same("get secret s -o yaml");
    await same(
      "create secret docker-registry r --docker-server=a --docker-username=b --docker-password=c --docker-email=d",
    );
    await same("create serviceaccount robot");
    await same("create role reader --verb=get,list --resource=pods,deployments.apps");
    await same("get role reader -o yaml");
    await same("create rolebinding readers --role=reader --serviceaccount=default:robot --user=u");
    await same("get rolebinding readers -o yaml");
    await same("create clusterrole creates-from-flags --verb=get --resource=nodes");
    await same("create clusterrolebinding creates-from-flags --clusterrole=creates-from-flags --group=g");
    await same("create deployment d --image=nginx:1 --replicas=2 --port=80");
    await same("get deployment d -o yaml");
    await same("create service clusterip s --tcp=80:8080");
    await same("get service s -o yaml");
    await same("create job j --image=busybox -- date");
    await same("get job j -o yaml");
    await same("create cronjob c --image=busybox '--schedule=*/5 * * * *' -- date");
    await same("get cronjob c -o yaml");
    await same("create ingress i --rule=a.example.org/*=svc:80");
    await same("get ingress i -o yaml");
    await same("create pdb p --selector=a=b --min-available=1");
    await same("create quota q --hard=cpu=1000m,pods=2");
    await same("get pdb,quota,ingress,rolebinding,clusterrolebinding/creates-from-flags -o wide");
    await same("create job from --from=cronjob/c");
    await same("run p --image=nginx");
    await same("get pod p -o yaml");
    await same("expose deployment d --port=80 --name=exposed");
  });

  scene("finds what every cluster has", async (same) => {
    await same("get priorityclasses -o yaml");
    await same("get service kubernetes -n default -o yaml", {
      view: ({ stdout }) => stdout.replace(/targetPort: \d+/, "targetPort: PORT"),
    });
    await same("get service kubernetes -n default");
    for (const role of ["cluster-admin", "system:aggregate-to-admin", "system:aggregate-to-edit"])
      await same(`get clusterrole ${role} -o yaml`);
    for (const role of ["system:aggregate-to-view", "system:basic-user", "system:discovery"])
      await same(`get clusterrole ${role} -o yaml`);
    // Their rules are filled in by a controller, which does not run beside the real server here.
    for (const role of ["admin", "edit", "view"])
      await same(`get clusterrole ${role} -o jsonpath={.aggregationRule}{.metadata.labels}`);
    for (const name of [
      "cluster-admin",
      "system:basic-user",
      "system:discovery",
      "system:public-info-viewer",
    ])
      await same(`get clusterrolebinding ${name} -o yaml`);
    await same("get namespaces -o name", {
      view: ({ stdout }) => stdout.split("\n").filter((line) => /kube-|default/.test(line)),
    });
  });

  scene("autoscales and prunes", async (same, namespace) => {
    await same("create -f -", { stdin: deployment("a") });
    await same("get deployment a --subresource=scale");
    await same("autoscale deployment a --min=1 --max=3 --cpu=70%");
    await same("autoscale deployment a --name=plain --max=2");
    await same("get hpa");
    await same("get hpa a -o yaml");
    await same("get hpa.v1.autoscaling a -o yaml");
    await same("delete hpa a plain");
    await same("get rc");
    const labelled = { ...configMap("p"), metadata: { name: "p", labels: { x: "y" } } };
    // kubectl's own warning has a time in it, and the real server warns of Endpoints.
    const view = ({ status, stdout }: Outcome): unknown => [status, stdout];
    await same("apply -f - --prune -l x=y", { stdin: labelled, view });
    await same("apply -f - --prune -l x=y", {
      stdin: { ...labelled, metadata: { name: "q", labels: { x: "y" } } },
      view,
    });
    await same("get configmap -l x=y -o name");
    await same("create serviceaccount bound");
    await same("create token bound --bound-object-kind=Pod --bound-object-name=nope");
    await same(
      `patch deployment a --type=strategic -p '{"spec":{"template":{"spec":{"containers":[{"image":"x"}]}}}}'`,
    );
    await same(`patch deployment a --type=merge -p '{"spec":{"replicas":"3"}}'`, {
      view: ({ status, stderr }) => [status, stderr.split(": ")[0]],
    });
    await same("drain nowhere");
    const node = { apiVersion: "v1", kind: "Node", metadata: { name: namespace } };
    await same("create -f -", { stdin: node });
    await servers.both(
      `-n ${namespace} run drained --image=i --restart=Never '--overrides={"spec":{"nodeName":"${namespace}","terminationGracePeriodSeconds":0}}'`,
    );
    await same(`drain ${namespace} --force --timeout=20s`, {
      view: ({ status, stdout }) => [status, stdout],
    });
    await same("get pod drained");
    await same(`delete node ${namespace}`);
  });

  scene("gets", async (same) => {
    await same("create -f -", { stdin: deployment("a", { tier: "web" }) });
    await same("create -f -", { stdin: deployment("b", { tier: "db" }) });
    for (const form of [
      "",
      "-o wide",
      "-o name",
      "-o yaml",
      "-o json",
      "--show-labels",
      "-L tier",
      "--no-headers",
      "-o jsonpath={.items[*].metadata.name}",
      "-o custom-columns=N:.metadata.name,R:.spec.replicas",
      "-l tier=web",
      "-l 'tier notin (web)'",
      "--field-selector metadata.name=a",
      "--sort-by=.metadata.name",
      "--show-kind",
      "--ignore-not-found",
    ])
      await same(`get deployments ${form}`);
    await same("get deployment a -o yaml --show-managed-fields");
    await same("get deployment missing");
    await same("get nothing");
    await same("get deployment a b missing");
    await same("get deploy,cm -o name");
    await same("get deployment --field-selector spec.replicas=1");
    await same("get deployments -l 'tier in ('", { view: ({ status }) => status });
    await same("get all");
    await same("get deployments --chunk-size=1");
    await same("get --raw /api/v1/namespaces/gets/configmaps/missing");
  });

  scene("applies", async (same, namespace) => {
    await same("apply -f -", { stdin: deployment("a") });
    await same("apply -f -", { stdin: deployment("a") });
    await same("apply -f -", { stdin: deployment("a", { app: "a", new: "label" }) });
    await same("diff -f -", { stdin: deployment("a", {}, { replicas: 3 }) });
    await same("apply -f -", { stdin: deployment("a", {}, { replicas: 3 }) });
    await same("get deployment a -o yaml");
    await same("get deployment a -o yaml --show-managed-fields");
    await same("apply -f - --dry-run=server -o yaml", { stdin: configMap("dry") });
    await same("get configmap dry");
    await same("apply view-last-applied deployment a");
    await same("apply -f - --prune -l app=none --prune-allowlist=core/v1/ConfigMap", {
      stdin: {
        apiVersion: "v1",
        kind: "List",
        items: [{ ...configMap("p"), metadata: { name: "p", labels: { app: "none" } } }],
      },
    });
    await same("apply -f -", { stdin: crontab("c") });
    await same("apply -f -", { stdin: crontab("c", { image: "new" }) });
    await same("get crontab c -o yaml");
    await same(`apply -n other-${namespace} -f -`, { stdin: configMap("a") });
  });

  scene("applies on the server", async (same) => {
    await same("apply --server-side -f -", { stdin: deployment("a") });
    await same("apply --server-side -f -", { stdin: deployment("a") });
    await same("apply --server-side -f -", { stdin: deployment("a", {}, { replicas: 3 }) });
    await same("scale deployment a --replicas=4");
    await same("apply --server-side -f -", {
      stdin: deployment("a", {}, { replicas: 2 }),
      // The real server adds through which subresource the other manager wrote.
      view: ({ status, stderr }) => [status, stderr.replace(' with subresource "scale"', "")],
    });
    await same("apply --server-side --force-conflicts -f -", { stdin: deployment("a", {}, { replicas: 2 }) });
    await same("get deployment a -o yaml");
    await same("apply --server-side --field-manager=other -f -", { stdin: crontab("c", { image: "one" }) });
    await same("apply --server-side -f -", { stdin: crontab("c", { image: "two" }) });
    await same("diff --server-side --force-conflicts -f -", { stdin: crontab("c", { image: "two" }) });
    await same("apply --server-side -f -", {
      stdin: { ...crontab("d"), spec: { image: "i", unheardOf: 1 } },
    });
    await same("apply -f -", { stdin: configMap("moved") });
    await same("apply --server-side -f -", { stdin: configMap("moved") });
    await same("get configmap moved -o yaml --show-managed-fields");
    await same("apply -f -", { stdin: configMap("handed") });
    const next = { ...configMap("handed"), data: { a: "<2>", b: "new" } };
    await same("diff --server-side -f -", { stdin: next });
    await same("apply --server-side -f -", { stdin: next });
    await same("get configmap handed -o yaml --show-managed-fields");
    await same("apply --server-side -f -", { stdin: { ...next, data: { a: "3" } } });
    await same("get configmap handed -o yaml");
    await same("apply -f -", { stdin: deployment("kept") });
    await same("scale deployment kept --replicas=4");
    await same("diff --server-side -f -", {
      stdin: deployment("kept", {}, { replicas: 2 }),
      view: ({ status }) => status,
    });
    await same("apply --server-side --field-manager=other -f -", {
      stdin: deployment("kept", {}, { replicas: 2 }),
      view: ({ status }) => status,
    });
  });

  scene("edits", async (same) => {
    const editor = join(servers.folder, "editor.sh");
    writeFileSync(
      editor,
      '#!/bin/sh\nsed -i "s/image: first/image: second/; s/replicas: 1/replicas: 2/" "$1"\n',
    );
    chmodSync(editor, 0o755);
    const env = { KUBE_EDITOR: editor };
    await same("create -f -", { stdin: crontab("c", { image: "first" }) });
    await same("edit crontab c", { env });
    await same("get crontab c -o yaml --show-managed-fields");
    await same("edit crontab c", { env });
    await same("create -f -", { stdin: deployment("a") });
    await same("edit deployment a", { env });
    await same("get deployment a -o jsonpath={.spec.replicas}");
  });

  scene("patches", async (same) => {
    await same("create -f -", { stdin: deployment("a") });
    await same("create -f -", { stdin: crontab("c") });
    await same(
      `patch deployment a -p '{"spec":{"template":{"spec":{"containers":[{"name":"side","image":"s"}]}}}}'`,
    );
    await same(
      `patch deployment a -p '{"spec":{"template":{"spec":{"containers":[{"name":"side","$patch":"delete"}]}}}}'`,
    );
    await same(`patch deployment a --type=merge -p '{"spec":{"replicas":3}}'`);
    await same(
      `patch deployment a --type=json -p '[{"op":"test","path":"/spec/replicas","value":3},{"op":"replace","path":"/spec/replicas","value":5}]'`,
    );
    await same(`patch deployment a --type=json -p '[{"op":"test","path":"/spec/replicas","value":3}]'`);
    await same(`patch deployment a --type=json -p '[{"op":"remove","path":"/spec/nothing"}]'`);
    await same(`patch deployment a --type=merge -p '{"spec":{"selector":{"matchLabels":{"app":"b"}}}}'`);
    await same(`patch deployment a --type=merge -p '{"spec":{"replicas":5}}'`);
    await same(`patch crontab c -p '{"spec":{"image":"x"}}'`);
    await same(`patch crontab c --type=merge -p '{"spec":{"image":"x","replicas":null}}'`);
    await same(
      `patch crontab c --type=merge --subresource=status -p '{"status":{"active":2,"conditions":[{"type":"Ready","status":"True"}]}}'`,
    );
    await same("get crontab c -o yaml --show-managed-fields");
    await same("get deployment a -o yaml --show-managed-fields");
    await same("get deployment a --subresource=status -o jsonpath={.spec.replicas}");
  });

  scene("labels and annotates", async (same) => {
    await same("create -f -", { stdin: configMap("a") });
    await same("label configmap a x=1 y=2");
    await same("label configmap a x=3");
    await same("label configmap a x=3 --overwrite");
    await same("label configmap a x-");
    await same("label configmap a 'bad key=1'");
    await same("annotate configmap a note=hello");
    await same("annotate configmap a note-");
    await same("label configmap --all all=true");
    await same("get configmap a -o yaml");
  });

  scene("sets and scales and rolls out", async (same) => {
    await same("create -f -", { stdin: deployment("a") });
    await same("scale deployment a --replicas=3");
    await same("scale deployment a --replicas=1 --current-replicas=9");
    await same("scale crontab c --replicas=1");
    await same("create -f -", { stdin: crontab("c", { replicas: 1 }) });
    await same("scale crontab c --replicas=7");
    await same("get crontab c -o jsonpath={.spec.replicas}");
    await same("set env deployment/a A=1 B=2");
    await same("set env deployment/a A-");
    await same("set image deployment/a c=new:2");
    await same("set resources deployment/a --limits=cpu=1,memory=1Gi");
    await same("rollout status deployment/a --timeout=1s");
    await same("rollout pause deployment/a");
    await same("rollout resume deployment/a");
    await same("rollout history deployment/a");
    await same("get deployment a -o jsonpath={.spec.template.spec.containers}");
    await same("rollout restart deployment/a");
    await same(
      `patch deployment a --subresource=status --type=merge -p '{"status":{"observedGeneration":99,"replicas":3,"updatedReplicas":3,"readyReplicas":3,"availableReplicas":3,"conditions":[{"type":"Available","status":"True"}]}}'`,
    );
    await same("rollout status deployment/a --timeout=5s");
    await same("get deployment a -o wide");
  });

  scene("replaces", async (same) => {
    await same("create -f -", { stdin: configMap("a") });
    await same("replace -f -", { stdin: { ...configMap("a"), data: { k: "new" } } });
    await same("get configmap a -o yaml");
    await same("replace -f -", { stdin: configMap("missing") });
    await same("replace --force -f -", { stdin: configMap("a") });
    await same("create -f -", { stdin: configMap("a") });
    await same("replace -f -", {
      stdin: { ...configMap("a"), metadata: { name: "a", resourceVersion: "1" } },
    });
  });

  scene("waits", async (same) => {
    await same("create -f -", { stdin: crontab("c") });
    await same("wait crontab/c --for=condition=Ready --timeout=1s");
    await same(
      `patch crontab c --type=merge --subresource=status -p '{"status":{"conditions":[{"type":"Ready","status":"True"}]}}'`,
    );
    await same("wait crontab/c --for=condition=Ready --timeout=5s");
    await same("wait crontab/c --for=jsonpath={.spec.image}=img --timeout=5s");
    await same("wait crontab/c --for=jsonpath={.spec.image}=other --timeout=1s");
    await same("wait crontab/missing --for=delete --timeout=1s");
    await same("wait crontab/c --for=delete --timeout=1s");
    // kubectl says nothing where the object was gone before it looked, and which comes first is chance.
    const waiting = same("wait crontab/c --for=delete --timeout=10s", {
      view: ({ status, stderr }) => ({ status, stderr }),
    });
    await same("delete crontab c --wait=false");
    await waiting;
    await same("wait crontab/missing --for=condition=Ready --timeout=1s");
  });

  scene("watches", async (same) => {
    await same("create -f -", { stdin: configMap("a") });
    // kubectl ends by itself when the request's time is up.
    await same("get configmap a -w --request-timeout=2s");
    await same("get configmaps -w -o name --request-timeout=2s");
    await same("get crontabs --watch-only --request-timeout=2s");
  });

  scene("deletes", async (same) => {
    await same("create -f -", { stdin: configMap("a") });
    await same("delete configmap a");
    await same("delete configmap a");
    await same("delete configmap a --ignore-not-found");
    await same("create -f -", {
      stdin: { ...configMap("held"), metadata: { name: "held", finalizers: ["example.org/hold"] } },
    });
    await same("delete configmap held --wait=false");
    await same("get configmap held -o yaml");
    await same("delete configmap held --timeout=1s");
    await same(`patch configmap held --type=merge -p '{"metadata":{"finalizers":["example.org/more"]}}'`);
    await same(`patch configmap held --type=merge -p '{"metadata":{"finalizers":null}}'`);
    await same("get configmap held");
    for (const cascade of ["background", "foreground", "orphan"]) {
      await same("create -f -", { stdin: deployment(cascade) });
      await same(`delete deployment ${cascade} --cascade=${cascade} --wait=false`);
      await same(`get deployment ${cascade} -o jsonpath={.metadata.finalizers}`);
    }
    await same("create -f -", { stdin: configMap("x", { app: "x" }) });
    await same("delete configmap -l app=x");
    await same("delete configmap --all");
    await same("delete configmap a --dry-run=server");
    await same("delete namespace default kube-system kube-public");
    await same("delete namespace kube-node-lease --dry-run=server");
    await same("delete --raw /api/v1/namespaces/deletes/configmaps/none");
  });

  scene("describes and shows events", async (same) => {
    await same("create -f -", { stdin: deployment("a") });
    await same("create -f -", { stdin: crontab("c") });
    for (const event of events("describes-and-shows-events")) await same("create -f -", { stdin: event });
    await same("describe deployment a");
    await same("describe crontab c");
    await same("describe configmap,service,namespace/describes-and-shows-events");
    await same("get events");
    await same("get events -o wide");
    await same("events");
    await same("events --for crontab/c");
    await same("get events --field-selector involvedObject.kind=CronTab,type=Warning -o name");
    await same("get events.v1.events.k8s.io -o name");
    await same("get events.v1.events.k8s.io -o yaml");
    await same("describe crd crontabs.test.example.org", {
      // Here the finalizer that empties the kind is there from the start; there it comes with the deletion.
      view: ({ stdout }) => stdout.replace(/ Finalizers:\n customresourcecleanup\S+\n/, ""),
    });
  });

  scene("says what is wrong", mistakes);

  scene("tells who may what", async (same) => {
    const status = (outcome: Outcome): unknown => outcome.status;
    await same("auth can-i create deployments");
    await same("auth can-i '*' '*' --all-namespaces");
    await same("auth whoami", { view: status });
    await same("auth can-i --list", { view: status });
    await same("version", { view: ({ stdout }) => stdout.replace(/Server Version: .*/, "") });
    await same("get --raw /readyz");
    await same("get --raw /livez");
  });

  scene("explains and discovers", explanations);
});
