import assert from "node:assert/strict";
import { it } from "vitest";
import { BusError } from "../bus/errors.ts";
import { DeclarationError } from "../function/system.ts";
import { TerminalError } from "../function/terminal-error.ts";
import { ClusterNameError } from "../kube/cluster-names.ts";
import { KubeconfigError } from "../kube/kubeconfig/errors.ts";
import { effectErrorOf } from "./errors.ts";

it("says where code threw that did not mean to, and leaves alone what was said on purpose", () => {
  const careless = (): unknown => {
    try {
      const nothing: unknown = undefined;
      return (nothing as { readonly here: string }).here;
    } catch (thrown) {
      return thrown;
    }
  };
  const { code, message, retryable } = effectErrorOf(careless());
  assert.deepEqual([code, retryable], ["UNEXPECTED", true]);
  assert.match(message, /^Cannot read properties of undefined \(reading 'here'\) \(errors\.test\.ts:\d+\)$/);
  assert.equal(effectErrorOf(new TerminalError("no such size")).message, "no such size");
  assert.equal(effectErrorOf("thrown as text").message, "thrown as text");
});

it("tries again what may pass, and only what was said to be for good is", () => {
  const retryable = (thrown: unknown): boolean => effectErrorOf(thrown).retryable;
  assert.equal(retryable(new BusError("BUS_CLOSED", "closed")), true);
  assert.equal(retryable(new KubeconfigError("KUBECONFIG_EXEC_FAILED", "no token now")), true);
  assert.equal(retryable(new TerminalError("never")), false);
  assert.equal(retryable(new DeclarationError("OUTCOME_INVALID", "no outcome")), false);
  assert.equal(retryable(new ClusterNameError("CLUSTER_NAME", "names no cluster")), false);
});
