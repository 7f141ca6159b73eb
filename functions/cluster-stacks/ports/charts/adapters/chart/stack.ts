import { ChartError } from "../../errors.ts";

/** Does work on what anybody wrote: values, descriptions or output that nest deeper than the stack are a limit, no end of the program. */
export async function withinStack<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RangeError && error.message.startsWith("Maximum call stack"))
      throw new ChartError(
        "CHART_LIMIT",
        "the chart, its values or what it prints nest too deeply",
        {},
        error,
      );
    throw error;
  }
}
