/**
 * English function words: articles, pronouns, prepositions, conjunctions, auxiliary verbs, question words and the like.
 * They are never part of a proposed anchor, and are not shown as words of a concept.
 */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `a about above across after again against all almost already also although always am among an and another any anybody
  anyone anything anyway are around as at away back be became because become becomes been before behind being below
  between both but by can cannot could did do does doing done down due during each either else enough etc even ever every
  everyone everything few for from further get gets getting got had has have having he hence her here hers herself him
  himself his how however i if in indeed instead into is it its itself just least less let like many may maybe me
  meanwhile might mine more moreover most much must my myself neither never no nobody none nor not nothing now of off
  often on once one only onto or other others otherwise ought our ours ourselves out over own per perhaps quite rather
  really same shall she should since so some somebody someone something sometimes somewhere still such than that the their
  theirs them themselves then there therefore these they this those though through thus to together too toward towards
  under unless until up upon us very via was we well were what whatever when whenever where whereas wherever whether which
  while who whoever whole whom whose why will with within without would yes yet you your yours yourself`.split(/\s+/)
)

/** Whether a token is an English function word, also as part of a contraction ("I'm", "don't", "what's"). */
export function isFunctionWord(token: string): boolean {
  const word = token.toLowerCase()
  if (FUNCTION_WORDS.has(word)) return true
  const end = word.indexOf("'")
  if (end < 0) return false
  return FUNCTION_WORDS.has(word.slice(0, end)) || word.endsWith("n't")
}
