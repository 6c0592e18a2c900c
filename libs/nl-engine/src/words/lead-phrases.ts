import { phraseSet } from '../grammar/reader.js';

const VERBS = ['show', 'list', 'give', 'find', 'return', 'display', 'tell', 'report', 'select', 'provide', 'get', 'fetch', 'retrieve', 'compute', 'calculate', 'determine', 'present', 'print', 'output', 'identify', 'enumerate', 'search for', 'look up', 'see', 'describe', 'extract', 'produce', 'check', 'view', 'obtain', 'collect', 'locate', 'pick', 'gather', 'figure out', 'write down', 'sort', 'rank', 'order', 'name', 'state', 'what', 'who', 'which', 'count'];

/** Ways to begin that say only that something is wanted. */
export const LEADS = phraseSet([
  ...VERBS.filter((verb) => !['what', 'who', 'which', 'count'].includes(verb)).flatMap((verb) => [verb, `${verb} me`, `${verb} us`, `${verb} out`, `${verb} all`, `${verb} the list of`, `${verb} a list of`, `${verb} me a list of`, `${verb} the`, `${verb} me the`, `please ${verb}`, `please ${verb} me`, `${verb} only`]),
  'what is', 'what are', 'what was', 'what were', 'which are', 'which is', 'who are', 'who is', 'who were', 'who was', 'what', 'which', 'who', "what 's", "who 's", 'whats', 'what all', 'whose',
  'tell me what', 'tell me which', 'tell me who', 'find out', 'find out which', 'find out what', 'i want to know', 'i want to see', 'i want', 'i would like to know', 'i need', 'can you show me', 'can you list', 'can you give me', 'can you tell me', 'could you show me', 'could you tell me', 'could you list', 'could you find', 'can you find', 'give me', 'show', 'what is the list of', 'what are all', 'what are all the', 'in which', 'in what', 'on which', 'on what', 'at which', 'at what', 'from which', 'from what', 'for which', 'to which', 'by which', 'with which', 'of which', 'what kind of', 'what kinds of', 'which kind of', 'what type of', 'find all', 'show all', 'list all', 'what do', 'whom',
].join('|'));
