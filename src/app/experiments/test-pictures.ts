import type {Pictures} from './experiment.ts'

/** Pictures that only say what they would show. */
export const testPictures: Pictures = {
  chart: chart => `<svg><title>${chart.title}</title><desc>${JSON.stringify(chart)}</desc></svg>`,
  network: ({parents}, names, {id}) =>
    `<svg id="${id}">${parents.flatMap((list, i) => list.map(k => `${names[k]}-${names[i]}`)).join(' ')}</svg>`
}
