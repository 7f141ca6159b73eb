// error: Property 'colour' does not exist
import { changed, each } from "../../shared/function/index.ts";
import { Deployment } from "../../shared/kube/kinds/deployment.ts";
import { Gadget } from "./gadget.ts";

each(Deployment).function({
  name: "d",
  wakes: [changed(Gadget).toEach((deployment, gadget) => gadget.colour === deployment.metadata.name)],
  reconcile: () => ({}),
});
