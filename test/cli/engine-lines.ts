/** A line that does it, and what it prints; what it says on stderr too. */
export type Line = readonly [line: string, says: RegExp];

/** The flags of a line that asks a server. */
export const SERVER = "--server URL --token-file TOKEN";

/** Lines that read, in any order. */
export const READING: readonly Line[] = [
  ["version -o json", /"reveille": "\d/],
  ["routes --systems none --functions WIDGET -o yaml", /source: bench\.example\.org\/Widget/],
  ["crds --systems none --functions WIDGET -o json", /"kind": "List"[\s\S]*widgets\.bench/],
  ["crds --config CONFIG", /name: widgets\.bench/],
  [
    "rbac --systems none --functions WIDGET --function widget -n team -o json",
    /"kind": "RoleBinding"[\s\S]*"team"/,
  ],
  ["rbac --config CONFIG", /kind: ClusterRole/],
  [
    "webhooks --systems none --functions WIDGET --empty --service reveille/serve -o json",
    /"name": "reveille-webhooks"/,
  ],
  ["webhooks --config CONFIG", /^\s*(\[\])?\s*$/],
  ["nats-users --systems none --functions WIDGET --prefix garden", /garden-widget/],
  ["nats-users --config CONFIG", /reveille-widget/],
  ["config check --config CONFIG -o json", /"setting": "bus\.kind"/],
  [
    "config check --systems none --functions WIDGET --kubeconfig KUBECONFIG --context CONTEXT",
    /cluster\.context +CONTEXT +--context/,
  ],
  ["status --data DATA -o json", /"running": true/],
  ["status --config CONFIG", /widget/],
  ["why widget/one -n default --data DATA -o json", /"doubled": 8/],
  ["why widget/one --config CONFIG", /Widget default\/one changed/],
  ["logs widget --data DATA --all --tail 1 -o json", /^\{.*"widget".*\}\n$/],
  ["logs --config CONFIG", /Widget default\/one/],
  ["dead-letters list --data DATA --function vases -o json", /"It is broken\."/],
  ["dead-letters list --config CONFIG", /It is broken/],
  ["dead-letters show 1 --data DATA -o json", /"It is broken\."/],
  ["dead-letters show 1 --config CONFIG", /message: It is broken/],
  ["invoke widget --event EVENT --dry-run --data DATA -o yaml", /dryRun: true/],
  ["invoke widget --event EVENT --dry-run --config CONFIG", /"dryRun": true/],
  ["invoke widget --event EVENT --dry-run --config CONFIG --data SAMPLED", /"dryRun": true/],
  [`invoke widget --event EVENT ${SERVER}`, /"runs": \[\]/],
  ["cluster-version status --data DATA --silent-after 2h -o json", /"clusterVersion"/],
  ["cluster-version status --kubeconfig KUBECONFIG --context CONTEXT", /steady-1/],
  ["cluster-version history --data DATA -o json", /"version": "1\.0\.0"/],
  ["cluster-version history --kubeconfig KUBECONFIG --context CONTEXT", /1\.0\.0/],
  ["cluster-version plan --data DATA --tasks", /1\.0\.0[\s\S]*configmap|1\.0\.0[\s\S]*namespace/i],
  [
    "cluster-version plan --kubeconfig KUBECONFIG --context CONTEXT --config CONFIG -o json",
    /"version": "1\.0\.0"/,
  ],
  ["cluster-version plan PAYLOAD --install", /1\.1\.0/],
  ["cluster-version wait --data DATA --for version=1.0.0 --timeout 60s", /All that was asked for holds/],
  [
    "cluster-version wait etcd --kubeconfig KUBECONFIG --context CONTEXT --for Available --timeout 60s",
    /All that was asked for holds/,
  ],
];

/** Lines of processes of their own that end by themselves, on a cluster without functions. */
export const ENDING: readonly Line[] = [
  [
    "dev --data OTHER --systems none --functions WIDGET --config EMPTY --port 0 -n default --no-samples --no-simulate --once --once-seconds 60 --log json",
    /"msg":"settled"/,
  ],
  [
    "dev --data OTHER --systems none --functions WIDGET --samples --simulate --once --reset",
    /Functions: widget/,
  ],
  [
    "dev --data THIRD --systems none --functions WIDGET --kubeconfig BARE --context CONTEXT --once --yes",
    /would be installed/,
  ],
  ["kubectl --data DATA get widgets", /get widgets --of .*state\/kubeconfig/],
  ["uninstall --kubeconfig BARE --context CONTEXT --data THIRD --crds --yes", /Removed: /],
];

/** Lines of processes that go on until they are told to end: what they say once they are there. */
export const LASTING: readonly Line[] = [
  [
    "watcher --config HOST --kubeconfig BARE --context CONTEXT --systems none --functions WIDGET -n default",
    /"msg":"listening"/,
  ],
  [
    "worker --config HOST --kubeconfig BARE --context CONTEXT --systems none --functions WIDGET -n default --only widget",
    /"msg":"listening"/,
  ],
  [
    "run --config ALONE --kubeconfig BARE --context CONTEXT --systems none --functions WIDGET -n default --only widget",
    /"msg":"listening"/,
  ],
  [
    "serve --config HOST --kubeconfig BARE --context CONTEXT --systems none --functions WIDGET --listen 127.0.0.1:0",
    /"msg":"listening"/,
  ],
  ["logs -f --data DATA", /Widget default\/one/],
];
