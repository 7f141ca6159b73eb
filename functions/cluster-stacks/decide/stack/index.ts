export { askedTogether, nextPoll, strayText } from "./asking.ts";
export { observeTemplate } from "./observe.ts";
export { isOfStack, latestOf, listingAfter, stackOf, strayTags } from "./offer.ts";
export { asksForUsers, type StackWorld, stackPass, type Template } from "./pass.ts";
export { providerReference, providerRelease, type TemplatePlace, templateOf } from "./provider-release.ts";
export { failedStack, type NamedRelease, type StackFindings, stackStatus } from "./status.ts";
export { summaryOfRelease } from "./summary.ts";
export { isStackOfClass } from "./wakes.ts";
export { type ExistingRelease, type Wanted, type Wishes, wantedReleases } from "./wanted.ts";
