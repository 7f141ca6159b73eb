import assert from "node:assert/strict";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { skipWithoutControlPlane } from "../../../infra/testing/control-plane.ts";
import { eventually } from "../../../infra/testing/eventually.ts";
import { type Obj, resourceOf } from "../../../shared/kube/kind.ts";
import {
  ConfigMap,
  Deployment,
  Job,
  Namespace,
  Service,
  StatefulSet,
} from "../../../shared/kube/kinds/index.ts";
import { parseObject } from "../../../shared/kube/read.ts";
import { Instance } from "../kinds/index.ts";
import { folder } from "./conformance.ts";
import { type Site, startSite } from "./site.ts";

/** The life of a package. */
interface Life {
  /** Parameters that are wanted at once, since they have no defaults. */
  readonly given?: readonly string[];
  /** A parameter that is changed, and the plan that this runs; absent: it has none. */
  readonly update?: readonly [parameter: string, plan: string];
  /** The package that it is upgraded to, and the plan that this runs. */
  readonly upgrade?: readonly [to: string, plan: string];
  /** The reason why it cannot be deployed. */
  readonly fails?: RegExp;
  /** The reason why the update does not end: its plan goes on trying. */
  readonly tries?: RegExp;
}

/** Every package of upstream's repositories that can be installed. */
const LIVES: Readonly<Record<string, Life>> = {
  "packages/cowsay/operator": { update: ["replicas=2", "deploy"] },
  "packages/first-operator/operator": { update: ["replicas=3", "deploy"] },
  "packages/mysql/operator": { update: ["BACKUP_FILE=other.sql", "backup"] },
  "packages/redis/operator": { update: ["masters=4", "deploy"] },
  "packages/zookeeper/operator": { update: ["NODE_COUNT=5", "deploy"] },
  "integration/cli-install/cli-install-operator": { update: ["memory=2Gi", "deploy"] },
  "integration/dependencies-package-create/operator-with-dependencies/child-operator": {
    update: ["deploy=2", "deploy"],
  },
  // It gives its child a parameter that the child does not have: admission lets that pass at first, and not as a change.
  "integration/dependencies-package-create/operator-with-dependencies/parent-operator": {
    update: ["deploy=2", "deploy"],
    tries: /instance web-child: .*failed to find parameter "someChildParameter" in the OperatorVersion/,
  },
  "integration/first-operator-test/first-operator": { update: ["replicas=3", "deploy"] },
  "integration/install-existing-crds-in-operator/crd-operator": { update: ["version=2", "deploy"] },
  "integration/invalid-crd-install/op-with-crd": {
    fails:
      /invalidcrdtype web-resource of template \S+: the API server knows no InvalidCrdType of somecrd\.invalid\/v1/,
  },
  "integration/operator-with-custom-crd/operator": {},
  "integration/operator-with-dependencies/child-operator": { update: ["deploy=2", "deploy"] },
  "integration/operator-with-dependencies/parent-operator": { update: ["deploy=2", "deploy"] },
  "integration/operator-with-subdirectory-resources/operator": {},
  "integration/parameter-types-operator/operator": { update: ["REPLICAS=2", "deploy"] },
  "integration/remove-pod-container/dual-pod-operator": {
    given: ["WITH_PRIORITY=false"],
    update: ["SECOND_CONTAINER=false", "deploy"],
  },
  "integration/upgrade-command/first-operator": {
    update: ["version=2", "deploy"],
    upgrade: ["integration/upgrade-command/second-operator", "upgrade"],
  },
  "integration/upgrade-command/second-operator": { update: ["version=2", "deploy"] },
  "integration/upgrade-with-dependencies/dependency": { update: ["deploy=2", "deploy"] },
  "integration/upgrade-with-dependencies/operator-1.0": {
    update: ["deploy=2", "deploy"],
    upgrade: ["integration/upgrade-with-dependencies/operator-2.0", "upgrade"],
  },
};

/** The packages whose life the suite plays, beside those that others are upgraded to. */
export const played: readonly string[] = Object.entries(LIVES).flatMap(([path, { upgrade }]) => [
  path,
  ...(upgrade === undefined ? [] : [upgrade[0]]),
]);

/** Plays the life of every package: it is installed, deployed, updated, upgraded and uninstalled. */
export function packages(kind: "local" | "real"): void {
  const skip =
    folder === undefined || (kind === "real" && skipWithoutControlPlane({ controllerManager: true }));
  describe(`a package of KUDO's own repositories on the ${kind} API`, {
    skip: skip !== false,
    timeout: 180_000,
  }, () => {
    let site: Site;
    let count = 0;
    beforeAll(async () => {
      site = await startSite(kind, true);
    }, 120_000);
    afterAll(() => site?.stop());

    it.each(Object.entries(LIVES))("%s lives as long as it is wanted", async (path, life) => {
      const namespace = `life-${++count}`;
      await site.client.create(
        resourceOf(Namespace),
        { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
        { fieldManager: "user" },
      );
      const play = lifeIn(site, namespace);
      const given = (life.given ?? []).flatMap((one) => ["-p", one]);
      await play.run("deploy", life.fails, "install", join(folder ?? "", path), ...given);
      if (life.update !== undefined) {
        const [parameter, plan] = life.update;
        if (life.tries === undefined) await play.run(plan, undefined, "update", "-p", parameter);
        else await play.goesOn(plan, life.tries, "update", "-p", parameter);
      }
      if (life.upgrade !== undefined) {
        const [to, plan] = life.upgrade;
        await play.run(plan, undefined, "upgrade", join(folder ?? "", to));
      }
      await play.uninstall();
    });
  });
}

function lifeIn({ client, kudo, settled }: Site, namespace: string) {
  const at = { name: "web", namespace };
  const instance = async (): Promise<Obj<typeof Instance> | undefined> => {
    const raw = await client.get(resourceOf(Instance), at);
    return raw && parseObject(Instance, raw);
  };
  const kinds = [Deployment, StatefulSet, Job, Service, ConfigMap].map((one) => resourceOf(one));
  const owned = async (): Promise<number> => {
    const lists = await Promise.all(
      kinds.map((one) => client.list(one, { namespace, labelSelector: "heritage=kudo" })),
    );
    return lists.flatMap(({ items }) => items).length;
  };
  return {
    /** Types a command that starts a plan, and sees it end as the command says. */
    async run(plan: string, fails: RegExp | undefined, ...words: readonly string[]): Promise<void> {
      const { code, stdout, stderr } = await kudo(namespace, ...words, "--instance", "web", "--wait");
      const said = `${words.join(" ")}:\n${stdout}${stderr}`;
      assert.equal(code, fails === undefined ? 0 : 1, said);
      await settled();
      const { spec, status } = (await instance()) ?? {};
      assert.equal(
        status?.planStatus?.[plan]?.status,
        fails === undefined ? "COMPLETE" : "FATAL_ERROR",
        said,
      );
      assert.equal(status?.lastStarted?.planName, plan);
      assert.equal(spec?.planExecution?.planName ?? "", "");
      if (fails !== undefined) assert.match(said, fails);
    },
    /** Types a command whose plan does not end, and sees why. */
    async goesOn(plan: string, why: RegExp, ...words: readonly string[]): Promise<void> {
      const typed = [...words, "--instance", "web", "--wait", "--wait-time", "1"];
      const { code, stdout, stderr } = await kudo(namespace, ...typed);
      assert.equal(code, 2, stdout + stderr);
      await eventually("its step to say why", async () => {
        const entry = (await instance())?.status?.planStatus?.[plan];
        return why.test(entry?.phases?.[0]?.steps?.[0]?.message ?? "");
      });
    },
    async uninstall(): Promise<void> {
      const { code, stdout, stderr } = await kudo(namespace, "uninstall", "--instance", "web", "--wait");
      assert.equal(code, 0, stdout + stderr);
      assert.equal(await instance(), undefined);
      // The garbage collector of a real server learns of new kinds within half a minute.
      await eventually(`what ${namespace} owned to be gone`, async () => (await owned()) === 0, 90_000);
      await settled();
    },
  };
}
