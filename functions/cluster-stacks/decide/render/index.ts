export { ADDON_RENDERING } from "./addon.ts";
export { CLASS_CHART, classFault, classRendering } from "./class.ts";
export { chartFaultText, printedObjects, type Rendering } from "./printed.ts";
export { type Rendered, type RenderParts, renderedObjects } from "./render.ts";
