/** Programs that send one request. The console and the docs page load this part without the other emitters. */
export {
  makeCallSample,
  makeClientSample,
  quoteAddress,
  quoteForShell,
  type SampleLanguage,
  type SampleRequest,
} from './make-call-sample.js';
