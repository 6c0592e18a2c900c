/**
 * Patterns that rarely occur in plain English, each with advice on what to write instead. A pattern only
 * finds symptoms. A text is good when a reader who is new to the project understands it.
 *
 * @typedef {{ name: string, pattern: RegExp, instead: string }} PhraseRule
 */

/** Comments that open with one of these words are usually sentence fragments. */
export const FRAGMENT_OPENING =
  /^(?:of|what|whatever|who|whoever|whom|whose|where|wherever|as|behind|beside|else|than|nor|that|those that|one that|so (?:that|many|long)|for the|in front|the same|but for|with(?:out)? this)\b/i;

/** @type {readonly PhraseRule[]} */
export const PHRASE_RULES = [
  {
    name: 'archaic pronoun',
    pattern: /\b(?:whoever|whosoever|whichever|somebody|nobody)\b/gi,
    instead: 'name the actor: the request, the caller, no request',
  },
  {
    name: 'archaic adverb',
    pattern: /\b(?:anew|hitherto|thereof|therein|thereby|hereby|wherein|whereby|lest)\b/gi,
    instead: 'again, so far, of it, to avoid',
  },
  {
    name: 'stand or lie for be',
    pattern:
      /\b(?:stands?|stood|lies|lay) (?:in|at|on|behind|beside|under|above|there|by|for|between|first|last|here)\b/gi,
    instead: 'is, follows, is stored',
  },
  {
    name: 'tell or say for report',
    pattern:
      /\b(?:(?:is|are|was|were) (?:told|said|heard)|(?:tells?|says?|hears?|told) (?:it|him|them|who|what|where|how|of|so|by))\b/gi,
    instead: 'reports, returns, lists, is reported',
  },
  {
    name: 'negated noun',
    pattern:
      /\b(?:is|are|was|were) (?:none|no (?!longer|more|need|way|guarantee|such|reason|limit|default|point|other|difference)[a-z]+)\b/gi,
    instead: 'an unknown path, not a number',
  },
  {
    name: 'behind for after',
    pattern: /\bbehind (?:it|them|that|this|the (?:answer|request|statement|change|first|last|copy))\b/gi,
    instead: 'after, with',
  },
  {
    name: 'figurative cost',
    pattern: /\b(?:dear|dearer|dearest|in company|by turns|in turns|of one moment|at once of)\b/gi,
    instead: 'expensive, while other tenants are active, in slices',
  },
  {
    name: 'of-chain',
    pattern: /\bof (?:an?|the|each|one|those|these) [a-z]+ (?:that|which|whose|alone|the)\b/gi,
    instead: 'split the sentence, or use a possessive',
  },
  {
    name: 'stiff connective',
    pattern: /\b(?:but for|save for|so that none|as was|as were|not at all|all the same|meanwhile)\b/gi,
    instead: 'except, so that no, still, at the same time',
  },
  {
    name: 'goes or comes for is',
    pattern:
      /\b(?:(?:goes|went) (?:by|with|to the)|(?:comes?|came) (?:to be|to nothing|of it|of this|with it))\b/gi,
    instead: 'uses, becomes, fails, results in',
  },
];
