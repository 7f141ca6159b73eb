// error: note: Sealed; }; }' is not assignable to type 'Outcome<
import { each, unwatched } from "../../shared/function/index.ts";
import { Pod } from "../../shared/kube/kinds/index.ts";
import { Gadget } from "./gadget.ts";

export const teller = each(Gadget).function({
  name: "teller",
  reads: [unwatched(Pod, "there before")],
  executes: "a mistake",
  observe: async ({ self, read }) => {
    const pod = await read.get(Pod, { name: self.metadata.name, namespace: self.metadata.namespace });
    return { said: pod && (await read.exec(pod, "main", ["cat", "/key"], { maximumBytes: 10 })) };
  },
  reconcile: ({ said }) =>
    said === undefined ? {} : { status: { state: "Ready" as const, note: said.stdout } },
});
