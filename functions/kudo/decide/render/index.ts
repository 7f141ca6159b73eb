export { contextOf, operatorOf, parameterData, type RenderPlace } from "./context.ts";
export { FUNCTIONS } from "./functions.ts";
export { pipesOf } from "./pipes.ts";
export { type Rendered, type RenderFault, renderObjects, renderText } from "./render.ts";
