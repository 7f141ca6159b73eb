import * as z from "zod";
import { intOrString } from "../../../shared/kube/schema/words.ts";

const anything = z.unknown();
const invoke = z.enum(["async", "sync"]).default("sync");

export const stateExecTimeout = z.object({ single: z.string().optional(), total: z.string() });
export const workflowExecTimeout = z.object({
  duration: z.string().default("unlimited"),
  interrupt: z.boolean().optional(),
  runBefore: z.string().optional(),
});

const action = z.object({
  actionDataFilter: z
    .object({
      fromStateData: z.string().optional(),
      results: z.string().optional(),
      toStateData: z.string().optional(),
      useResults: z.boolean().optional(),
    })
    .optional(),
  condition: z.string().optional(),
  eventRef: z
    .object({
      contextAttributes: anything.optional(),
      data: anything.optional(),
      invoke,
      resultEventRef: z.string(),
      resultEventTimeout: z.string().optional(),
      triggerEventRef: z.string(),
    })
    .optional(),
  functionRef: z
    .object({
      arguments: anything.optional(),
      invoke,
      refName: z.string(),
      selectionSet: z.string().optional(),
    })
    .optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  nonRetryableErrors: z.array(z.string()).optional(),
  retryRef: z.string().optional(),
  retryableErrors: z.array(z.string()).optional(),
  sleep: z.object({ after: z.string().optional(), before: z.string().optional() }).optional(),
  subFlowRef: z
    .object({
      invoke,
      onParentComplete: z.enum(["terminate", "continue"]).default("terminate"),
      version: z.string().optional(),
      workflowId: z.string(),
    })
    .optional(),
});
const actionMode = z.enum(["sequential", "parallel"]).default("sequential");
const eventDataFilter = z.object({
  data: z.string().optional(),
  toStateData: z.string().optional(),
  useData: z.boolean().optional(),
});
const actionTimeouts = z.object({
  actionExecTimeout: z.string().optional(),
  stateExecTimeout: stateExecTimeout.optional(),
});
const eventTimeouts = z.object({
  actionExecTimeout: z.string().optional(),
  eventTimeout: z.string().optional(),
  stateExecTimeout: stateExecTimeout.optional(),
});
const stateTimeouts = z.object({ stateExecTimeout: stateExecTimeout.optional() });
const produceEvents = z.array(
  z.object({
    contextAttributes: z.record(z.string(), z.string()).optional(),
    data: anything.optional(),
    eventRef: z.string(),
  }),
);
const end = z.object({
  compensate: z.boolean().optional(),
  continueAs: z
    .object({
      data: anything.optional(),
      version: z.string().optional(),
      workflowExecTimeout: workflowExecTimeout.optional(),
      workflowId: z.string(),
    })
    .optional(),
  produceEvents: produceEvents.optional(),
  terminate: z.boolean().optional(),
});
const transition = z.object({
  compensate: z.boolean().default(false),
  nextState: z.string(),
  produceEvents: produceEvents.optional(),
});
const leads = { end: anything.optional(), transition: anything.optional() };

/**
 * A state. What it does stands beside its name and type in whatever fields its type has: those are kept as they are.
 * The fields named after types (`operationState`) are how the kind's schema was first published; nobody writes them.
 */
export const state = z.looseObject({
  callbackState: z
    .object({
      action,
      eventDataFilter: eventDataFilter.optional(),
      eventRef: z.string(),
      timeouts: eventTimeouts.optional(),
    })
    .optional(),
  compensatedBy: z.string().optional(),
  delayState: z.object({ timeDelay: z.string() }).optional(),
  end: anything.optional(),
  eventState: z
    .object({
      exclusive: z.boolean().default(true),
      onEvents: z
        .array(
          z.object({
            actionMode,
            actions: z.array(action).optional(),
            eventDataFilter: eventDataFilter.optional(),
            eventRefs: z.array(z.string()).min(1),
          }),
        )
        .min(1),
      timeouts: eventTimeouts.optional(),
    })
    .optional(),
  forEachState: z
    .object({
      actions: z.array(action).min(0).optional(),
      batchSize: intOrString.optional(),
      inputCollection: z.string(),
      iterationParam: z.string().optional(),
      mode: z.enum(["sequential", "parallel"]).default("parallel"),
      outputCollection: z.string().optional(),
      timeouts: actionTimeouts.optional(),
    })
    .optional(),
  id: z.string().optional(),
  injectState: z.object({ data: anything.nonoptional(), timeouts: stateTimeouts.optional() }).optional(),
  metadata: anything.optional(),
  name: z.string(),
  onErrors: z
    .array(z.object({ ...leads, errorRef: z.string().optional(), errorRefs: z.array(z.string()).optional() }))
    .optional(),
  operationState: z
    .object({ actionMode, actions: z.array(action).min(0), timeouts: actionTimeouts.optional() })
    .optional(),
  parallelState: z
    .object({
      branches: z
        .array(
          z.object({
            actions: z.array(action).min(1),
            name: z.string(),
            timeouts: z
              .object({ actionExecTimeout: z.string().optional(), branchExecTimeout: z.string().optional() })
              .optional(),
          }),
        )
        .min(1),
      completionType: z.enum(["allOf", "atLeast"]).default("allOf"),
      numCompleted: intOrString.optional(),
      timeouts: z
        .object({ branchExecTimeout: z.string().optional(), stateExecTimeout: stateExecTimeout.optional() })
        .optional(),
    })
    .optional(),
  sleepState: z.object({ duration: z.string(), timeouts: stateTimeouts.optional() }).optional(),
  stateDataFilter: z.object({ input: z.string().optional(), output: z.string().optional() }).optional(),
  switchState: z
    .object({
      dataConditions: z
        .array(
          z.object({
            condition: z.string(),
            end,
            metadata: anything.optional(),
            name: z.string().optional(),
            transition: transition.optional(),
          }),
        )
        .optional(),
      defaultCondition: z.object(leads),
      eventConditions: z
        .array(
          z.object({
            ...leads,
            eventDataFilter: eventDataFilter.optional(),
            eventRef: z.string(),
            metadata: anything.optional(),
            name: z.string().optional(),
          }),
        )
        .optional(),
      timeouts: eventTimeouts.omit({ actionExecTimeout: true }).optional(),
    })
    .optional(),
  transition: anything.optional(),
  type: z.enum([
    "delay",
    "callback",
    "event",
    "foreach",
    "inject",
    "operation",
    "parallel",
    "sleep",
    "switch",
  ]),
  usedForCompensation: z.boolean().optional(),
});
