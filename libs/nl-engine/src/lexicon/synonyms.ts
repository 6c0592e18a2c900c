/**
 * Synonyms that hold in most schemas.
 * They are weak links that only apply when the schema lacks the word itself.
 */
const GROUPS: readonly (readonly string[])[] = [
  ['gender', 'sex'], ['salary', 'pay', 'wage', 'earning', 'income'], ['price', 'cost', 'charge', 'fee'], ['employee', 'staff', 'worker', 'personnel'],
  ['customer', 'client', 'buyer', 'shopper'], ['movie', 'film'], ['car', 'vehicle', 'automobile', 'auto'], ['student', 'pupil'], ['teacher', 'instructor', 'lecturer', 'faculty'],
  ['doctor', 'physician'], ['author', 'writer'], ['country', 'nation'], ['nationality', 'citizenship'], ['city', 'town'], ['company', 'firm', 'corporation', 'enterprise'], ['organization', 'organisation', 'institution', 'institute'],
  ['phone', 'telephone', 'cellphone', 'mobile'], ['zip', 'postal', 'postcode', 'zipcode'], ['zip code', 'zip postcode', 'postal code'], ['average', 'mean'], ['email', 'mail', 'e-mail'], ['picture', 'image', 'photo', 'photograph'], ['apartment', 'flat'],
  ['college', 'university', 'school'], ['course', 'class', 'lesson'], ['product', 'item', 'good', 'merchandise'], ['order', 'purchase'], ['shop', 'store'], ['location', 'place', 'site', 'position'],
  ['description', 'detail', 'info', 'information'], ['kind', 'type', 'category', 'sort'], ['song', 'track', 'music'], ['singer', 'artist', 'musician', 'performer'], ['album', 'record'],
  ['game', 'match'], ['team', 'club'], ['player', 'athlete'], ['flight', 'trip'], ['airplane', 'aircraft', 'plane', 'aeroplane'], ['airport', 'airfield'], ['rating', 'score', 'grade', 'mark', 'rank'], ['ranking', 'rank'],
  ['length', 'duration'], ['start', 'begin', 'beginning'], ['end', 'finish', 'ending'], ['first name', 'forename', 'given name'], ['last name', 'surname', 'family name'], ['birthday', 'birth date', 'date birth', 'born date', 'birthdate'],
  ['quantity', 'amount'], ['number', 'count'], ['company', 'manufacturer', 'business'], ['kid', 'child'], ['buyer', 'purchaser'], ['capacity', 'seating'], ['founder', 'creator'], ['headquarters', 'headquarter'], ['stadium', 'arena', 'venue'], ['citizen', 'resident'], ['illness', 'disease'], ['medicine', 'drug', 'medication'], ['nickname', 'alias'], ['profit', 'gain'], ['partner', 'spouse'], ['creation', 'establishment'], ['minimum', 'lowest'], ['maximum', 'highest'], ['area', 'size'], ['boss', 'manager', 'supervisor', 'head', 'leader'], ['person', 'individual', 'human'], ['pet', 'animal'], ['dog', 'puppy'], ['house', 'home', 'residence', 'dwelling'], ['job', 'occupation', 'profession', 'work'],
  ['department', 'division'], ['document', 'file', 'paper'], ['user', 'member', 'account holder'], ['comment', 'remark', 'reply'], ['post', 'article'], ['tag', 'label'], ['enrollment', 'enrolment', 'registration'], ['theatre', 'theater', 'cinema'], ['festival', 'event'],
  ['manufacturer', 'maker', 'producer', 'brand'], ['race', 'competition', 'contest'], ['year', 'yr'], ['address', 'location'], ['cellphone', 'mobile phone'], ['hometown', 'home town'], ['weight', 'heaviness'], ['height', 'tallness'], ['credit', 'point'], ['attendance', 'attendee', 'audience'], ['revenue', 'sale', 'turnover'], ['identifier', 'id'], ['identification', 'id'], ['title', 'name'], ['party', 'faction'], ['result', 'outcome'], ['code', 'id'],
  ['course', 'curriculum'], ['airport', 'aerodrome'], ['pilot', 'aviator', 'flyer'], ['ship', 'vessel', 'boat'], ['storm', 'windstorm', 'hurricane'], ['entrepreneur', 'enterpriser'], ['bike', 'bicycle', 'cycle'], ['driver', 'chauffeur'],
  ['classroom', 'schoolroom'], ['birthplace', 'birth place'], ['participant', 'attendee', 'competitor', 'contestant'], ['journalist', 'reporter'], ['subject', 'topic'], ['railway', 'railroad'], ['population', 'populace', 'inhabitant'], ['booking', 'reservation'],
  ['region', 'district'], ['characteristic', 'feature', 'attribute', 'property'], ['device', 'gadget', 'equipment'], ['tour', 'trip', 'journey'], ['allergy', 'hypersensitivity'], ['date', 'day'], ['station', 'terminal'], ['altitude', 'elevation'],
  ['actor', 'performer'], ['warehouse', 'depot'], ['invoice', 'bill'], ['lawyer', 'attorney'], ['dormitory', 'dorm'], ['speed', 'velocity'], ['painting', 'artwork'], ['delivery', 'shipment'], ['hospital', 'clinic'], ['train', 'railway'], ['letter', 'mail'], ['prize', 'award'], ['soldier', 'trooper'], ['visitor', 'guest'], ['owner', 'proprietor', 'holder'],
];

const INDEX: ReadonlyMap<string, readonly string[]> = index();

function index(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const group of GROUPS) {
    for (const word of group) found.set(word, [...(found.get(word) ?? []), ...group.filter((other) => other !== word)]);
  }
  return found;
}

/** Returns synonyms of a singular word or short phrase, or an empty list if none exist. */
export function listSynonyms(phrase: string): readonly string[] {
  return INDEX.get(phrase) ?? [];
}
