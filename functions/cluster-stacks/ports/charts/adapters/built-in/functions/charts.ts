import { fixed } from "../../../../../../../shared/templates/functions/define.ts";
import {
  bytesOf,
  Dict,
  FunctionFault,
  type Functions,
  TemplateError,
  textOf,
} from "../../../../../../../shared/templates/index.ts";

/** The words of a chart's author about what is wrong: they are shown alone. */
export class AuthorFault extends FunctionFault {}

/** The name that helm gives to the text of a `tpl`. */
export const TPL_NAME = "gotpl";
/** The characters of a text that its error shows: texts in texts would make it long. */
const SHOWN = 80;

/** The functions that only charts have. */
export const charts: Functions = {
  include: fixed(["string", "interface {}"], ([name, data], call) => call.render(name, data)),
  tpl: fixed(["string", "interface {}"], ([text, data], call) => {
    try {
      return call.renderText(TPL_NAME, text, data).replaceAll("<no value>", "");
    } catch (cause) {
      if (!(cause instanceof TemplateError) || cause.code === "TEMPLATE_LIMIT") throw cause;
      throw new FunctionFault(
        bytesOf(
          `error during tpl function execution for ${JSON.stringify(textOf(text.slice(0, SHOWN)))}: ${cause.message}`,
        ),
        { cause },
      );
    }
  }),
  required: fixed(["string", "interface {}"], ([words, value]) => {
    if (value === undefined || value === null || value === "") throw new AuthorFault(words);
    return value;
  }),
  fail: fixed(["string"], ([words]) => {
    throw new AuthorFault(words);
  }),
  // There is no server to ask.
  lookup: fixed(["string", "string", "string", "string"], () => new Dict()),
  // Nor a network.
  getHostByName: fixed(["string"], () => ""),
};
