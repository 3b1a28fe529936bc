// Tabs as https://www.w3.org/WAI/ARIA/apg/patterns/tabs/ has them: arrows, Home and End move.

export function makeTabs(list, onChosen) {
  const tabs = [...list.querySelectorAll("[role=tab]")];
  const panel = (tab) => document.getElementById(tab.getAttribute("aria-controls"));
  let chosen = tabs[0];

  function choose(tab) {
    chosen = tab;
    for (const each of tabs) {
      each.setAttribute("aria-selected", String(each === tab));
      each.tabIndex = each === tab ? 0 : -1;
      panel(each).hidden = each !== tab;
    }
  }

  list.addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (!tab) return;
    choose(tab);
    onChosen();
  });
  list.addEventListener("keydown", (event) => {
    const place = tabs.indexOf(chosen);
    const places = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: tabs.length - 1 };
    if (!(event.key in places) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    choose(tabs[(places[event.key] + tabs.length) % tabs.length]);
    chosen.focus();
    onChosen();
  });
  choose(chosen);
  return { chosen: () => panel(chosen).id.replace(/^pg-/, "") };
}
