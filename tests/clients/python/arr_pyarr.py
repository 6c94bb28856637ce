"""The library `pyarr`, which was written against the real applications: it must find in our stand-ins what they say they have, and what it
does must be what they say was done.
"""

import sys
from datetime import datetime, timedelta, timezone

from household import Household
from pyarr import LidarrAPI, RadarrAPI, ReadarrAPI, SonarrAPI
from pyarr.exceptions import PyarrResourceNotFound, PyarrUnauthorizedError
from report import check, finish

household = Household(sys.argv[1])


def ids_of(rows):
    return sorted(row["id"] for row in rows)


def look(name, arr, parents, title_of):
    """What is the same in all four: who it is, library, calendar, history, and what a wrong key gets."""
    with check(f"pyarr: {name} says who it is"):
        assert arr.get_system_status()["appName"].lower() == name
    with check(f"pyarr: {name}'s library is the one it has"):
        assert sorted(title_of(entry) for entry in parents()) == sorted(household.state(name)["titles"])
    with check(f"pyarr: {name}'s calendar has something in the next weeks"):
        now = datetime.now(timezone.utc)
        assert arr.get_calendar(now, now + timedelta(days=40), unmonitored=False)
    with check(f"pyarr: {name}'s history is the one it has, newest first"):
        state = household.state(name)
        page = arr.get_history(page=1, page_size=10)
        newest = [event["event"] for event in reversed(state["history"])][:10]
        assert page["totalRecords"] == len(state["history"])
        assert [record["eventType"] for record in page["records"]] == newest
    with check(f"pyarr: {name} has free space, health checks and clients"):
        assert arr.get_disk_space() and arr.get_health() and arr.get_download_client()
    with check(f"pyarr: {name} refuses another key"):
        stranger = type(arr)(household.doors[name]["url"], "0" * 32)
        try:
            stranger.get_system_status()
        except PyarrUnauthorizedError:
            pass
        else:
            raise AssertionError("it was let in")


def work(name, arr, queue, known, command):
    """Reads the queue, takes something out of it, and posts a command."""
    with check(f"pyarr: {name}'s queue is the one it has"):
        page = queue()
        own = [row for row in household.state(name)["queue"] if row["parent"] is not None or known]
        assert page["totalRecords"] == len(own)
        assert ids_of(page["records"]) == ids_of(own)
    with check(f"pyarr: what is removed from {name}'s queue leaves it, with all of its download"):
        row = next(row for row in household.state(name)["queue"] if row["downloadId"] and row["parent"] is not None)
        arr.del_queue(row["id"], remove_from_client=True, blocklist=False)
        left = household.state(name)["queue"]
        assert all(other["downloadId"] != row["downloadId"] for other in left)
    with check(f"pyarr: {name} does not know what was removed"):
        try:
            arr.del_queue(row["id"])
        except PyarrResourceNotFound:
            pass
        else:
            raise AssertionError("removed twice")
    with check(f"pyarr: what is blocklisted in {name} is on its list and searched for again"):
        row = next(row for row in household.state(name)["queue"] if row["downloadId"] and row["parent"] is not None)
        arr.del_queue(row["id"], remove_from_client=True, blocklist=True)
        state = household.state(name)
        listed = [blocked["sourceTitle"] for blocked in arr.get_blocklist()["records"]]
        assert listed == [row["title"]] and [blocked["title"] for blocked in state["blocklist"]] == listed
        assert any("Search" in known["name"] and not known["posted"] for known in state["commands"])
    with check(f"pyarr: a command of {name} ends when its time has come"):
        posted = command()
        assert arr.get_command(posted["id"])["status"] in ("queued", "started")
        household.settle(name)
        assert arr.get_command(posted["id"])["status"] == "completed"


def api(name, of):
    return of(household.doors[name]["url"], household.doors[name]["api_key"])


radarr = api("radarr", RadarrAPI)
look("radarr", radarr, radarr.get_movie, lambda movie: movie["title"])
work(
    "radarr",
    radarr,
    lambda: radarr.get_queue(page=1, page_size=100, include_unknown_movie_items=True),
    True,
    lambda: radarr.post_command("RescanMovie", movieId=1),
)
with check("pyarr: one movie is found by its number at TMDB"):
    assert [movie["title"] for movie in radarr.get_movie(19, tmdb=True)] == ["Metropolis"]

sonarr = api("sonarr", SonarrAPI)
look("sonarr", sonarr, sonarr.get_series, lambda series: series["title"])
work(
    "sonarr",
    sonarr,
    lambda: sonarr.get_queue(page=1, page_size=100, include_unknown_series_items=True),
    True,
    lambda: sonarr.post_command("RescanSeries", seriesId=1),
)
with check("pyarr: a series has its episodes, some with a file"):
    episodes = sonarr.get_episode(1, series=True)
    assert {episode["seasonNumber"] for episode in episodes} == {1, 2, 3}
    assert {episode["hasFile"] for episode in episodes} == {True, False}

lidarr = api("lidarr", LidarrAPI)
look("lidarr", lidarr, lidarr.get_artist, lambda artist: artist["artistName"])
work(
    "lidarr",
    lidarr,
    # It asks for unknown artists by a name that the application does not know, so that none come.
    lambda: lidarr.get_queue(page=1, page_size=100, unknown_artists=True),
    False,
    lambda: lidarr.post_command("ArtistSearch", artistId=1),
)
with check("pyarr: an album has its tracks, numbered in text"):
    tracks = lidarr.get_tracks(albumId=lidarr.get_album()[0]["id"])
    assert tracks and all(isinstance(track["trackNumber"], str) for track in tracks)

chaptarr = api("chaptarr", ReadarrAPI)
look("chaptarr", chaptarr, chaptarr.get_author, lambda author: author["authorName"])
work(
    "chaptarr",
    chaptarr,
    lambda: chaptarr.get_queue(page=1, page_size=100, unknown_authors=True),
    True,
    lambda: chaptarr.post_command("AuthorSearch", authorId=1),
)
with check("pyarr: a work is there to read and to hear"):
    formats = {book["mediaType"] for book in chaptarr.get_book() if book["title"] == "Pride and Prejudice"}
    assert formats == {"ebook", "audiobook"}

household.close()
finish()
