// error: Property 'seconds' is missing
import type { BeatingTrigger } from "../../shared/function/index.ts";

export const pulse: BeatingTrigger = {
  name: "pulse",
  path: "/pulse",
  proof: "certificate",
  maximumBody: 100,
  read: () => ({ beat: { number: 1, after: 0 } }),
  beats: ({ sender: id }) => ({ at: undefined, event: { id, type: "pulse", subject: id, data: {} } }),
};
