import type { Charts } from "../contract.ts";

/** The renderer that a configuration asks for: a helm binary where one is named, else the one that is built in. Either is loaded with the first chart. */
export function configuredCharts({ helm }: { readonly helm?: string | undefined }): Charts {
  const load = async (): Promise<Charts> => {
    if (helm !== undefined) return (await import("./helm/index.ts")).helmCharts({ binary: helm });
    return (await import("./built-in/index.ts")).builtInCharts();
  };
  let loaded: Promise<Charts> | undefined;
  return {
    render: async (source, request) => {
      loaded ??= load();
      return (await loaded).render(source, request);
    },
  };
}
