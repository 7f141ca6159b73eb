// Written by infra/protobuf/generate.ts from api@v0.37.0/events/v1 (The Kubernetes Authors, Apache-2.0): not by hand.
/** The messages of events.v1: see `../table.ts` for how a line is read. */
export const eventsV1 = `
Event metadata=1.meta.v1.ObjectMeta eventTime=2.meta.v1.MicroTime series=3.EventSeries reportingController=4s? reportingInstance=5s? action=6s? reason=7s? regarding=8.core.v1.ObjectReference related=9.core.v1.ObjectReference note=10s? type=11s? deprecatedSource=12.core.v1.EventSource deprecatedFirstTimestamp=13.meta.v1.Time deprecatedLastTimestamp=14.meta.v1.Time deprecatedCount=15i?
EventSeries count=1i lastObservedTime=2.meta.v1.MicroTime
`;
